import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../kit/sqlite.ts';
import type { GarbageKind, Verdict } from '../../model/lists.ts';
import { enclosingAreas, parseArea } from './areas.ts';
import { lowerBound } from './condemning-rule.ts';
import { GarbageRepository, type JudgedRecord } from './garbage-repository.ts';

const DAY = 86_400_000;
const OPTIONS = {
  spamPages: 5,
  spamShare: 0.8,
  softPages: 2,
  softShare: 0.5,
  expiresMs: 30 * DAY,
  goodPages: 3,
  pagesPerDomain: 1000,
};

let database: Database;
let repository: GarbageRepository;

beforeEach(() => {
  database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
  repository = new GarbageRepository(database, OPTIONS);
});

let serial = 0;

function judged(host: string, verdict: Verdict, at: number, rest: Partial<JudgedRecord> = {}): JudgedRecord {
  serial++;
  return { host, path: `/page-${serial}`, textHash: `text ${serial}`, verdict, kinds: [], at, ...rest };
}

function many(n: number, host: string, verdict: Verdict, rest: Partial<JudgedRecord> = {}): JudgedRecord[] {
  return Array.from({ length: n }, () => judged(host, verdict, 1000, rest));
}

describe('domains that are spam', () => {
  it('condemned as a whole and not ended; neither blocked by hand nor condemned for parked pages', async () => {
    expect(repository.isEmpty).toBe(true);
    await repository.recordMany([...many(11, 'www.bad.example', 'spam'), ...many(11, 'old.example', 'parked')]);
    await repository.block('disliked.example', 1000);
    expect(repository.isEmpty).toBe(false);
    expect(repository.isCondemned('old.example', '/', 2000)?.sentence).toBe('spam');
    const spam = ['bad.example', 'old.example', 'disliked.example', 'good.example'].filter((domain) =>
      repository.isSpamDomain(domain, 2000),
    );
    expect(spam).toEqual(['bad.example']);
    expect(repository.isSpamDomain('bad.example', 1000 + OPTIONS.expiresMs)).toBe(false);
    await repository.forgive('bad.example');
    expect(repository.isSpamDomain('bad.example', 2000)).toBe(false);
  });

  it('a path or a host of a good domain condemns nobody who links to the domain', async () => {
    const inside = Array.from({ length: 12 }, (_, n) => judged('mixed.example', 'spam', 1000, { path: `/shop/${n}` }));
    await repository.recordMany([...many(60, 'mixed.example', 'keep'), ...inside]);
    expect(repository.isCondemned('mixed.example', '/shop/x', 2000)?.sentence).toBe('spam');
    expect(repository.isSpamDomain('mixed.example', 2000)).toBe(false);
  });
});

describe('condemning for spam', () => {
  it('needs a lower 95 % bound above 0.8: eleven of eleven, not ten', async () => {
    await repository.recordMany(many(10, 'www.bad.example', 'spam'));
    expect(repository.isCondemned('www.bad.example', '/x', 2000)).toBeUndefined();
    await repository.recordMany(many(1, 'www.bad.example', 'spam'));
    expect(repository.isCondemned('www.bad.example', '/x', 2000)).toMatchObject({
      sentence: 'spam',
      area: '*.bad.example',
    });
    expect(repository.isCondemned('other.bad.example', '/', 2000)?.sentence).toBe('spam');
    expect(repository.isCondemned('bad.example.org', '/', 2000)).toBeUndefined();
  });

  it('copies of one text count once', async () => {
    await repository.recordMany(many(50, 'bad.example', 'spam', { textHash: 'same' }));
    expect(repository.isCondemned('bad.example', '/', 2000)).toBeUndefined();
  });

  it('one hacked page on a good site of 200 costs that page alone', async () => {
    await repository.recordMany([...many(199, 'good.example', 'keep'), ...many(1, 'good.example', 'spam')]);
    expect(repository.list(2000)).toEqual([]);
  });

  it('pages with injected links never count', async () => {
    const kinds: readonly GarbageKind[] = ['injected'];
    await repository.recordMany(many(40, 'hacked.example', 'spam', { kinds }));
    expect(repository.isCondemned('hacked.example', '/', 2000)).toBeUndefined();
  });

  it('on a host that mixes, the longest path prefix is condemned', async () => {
    const inside = Array.from({ length: 12 }, (_, n) =>
      judged('mixed.example', 'spam', 1000, { path: `/a/shop/${n}` }),
    );
    await repository.recordMany([...many(60, 'mixed.example', 'keep'), ...inside]);
    expect(repository.isCondemned('mixed.example', '/a/shop/new?x=1', 2000)?.area).toBe('mixed.example/a/shop/');
    expect(repository.isCondemned('mixed.example', '/a/other', 2000)).toBeUndefined();
    expect(repository.isCondemned('mixed.example', '/', 2000)).toBeUndefined();
  });

  it('private suffixes are domains of their own', async () => {
    await repository.recordMany(many(20, 'bad.github.io', 'spam'));
    expect(repository.isCondemned('bad.github.io', '/', 2000)?.sentence).toBe('spam');
    expect(repository.isCondemned('good.github.io', '/', 2000)).toBeUndefined();
  });

  it('seeds and hosts with clicked pages are queued for review instead', async () => {
    await repository.protectMany(['www.seed.example'], 'seed', 1000);
    await repository.recordMany(many(20, 'www.seed.example', 'spam'));
    expect(repository.isCondemned('www.seed.example', '/', 2000)).toBeUndefined();
    expect(repository.list(2000)).toMatchObject([{ area: '*.seed.example', status: 'review' }]);
  });

  it('a host protected later is released', async () => {
    await repository.recordMany(many(20, 'late.example', 'spam'));
    await repository.protectMany(['late.example'], 'clicked', 1500);
    expect(repository.isCondemned('late.example', '/', 2000)).toBeUndefined();
  });
});

describe('the end of a condemnation', () => {
  it('expires after 30 days, and the old evidence with it', async () => {
    await repository.recordMany(many(11, 'bad.example', 'spam'));
    const later = 1001 + 30 * DAY;
    expect(repository.isCondemned('bad.example', '/', later - 2)?.sentence).toBe('spam');
    expect(repository.isCondemned('bad.example', '/', later)).toBeUndefined();
    await repository.recordMany([judged('bad.example', 'spam', later)]);
    expect(repository.isCondemned('bad.example', '/', later)).toBeUndefined();
  });

  it('three good pages of a re-check end it, two do not', async () => {
    await repository.recordMany(many(11, 'bad.example', 'spam'));
    await repository.recordMany([judged('bad.example', 'keep', 3000), judged('bad.example', 'keep', 3001)]);
    expect(repository.isCondemned('bad.example', '/', 4000)?.sentence).toBe('spam');
    await repository.recordMany([judged('bad.example', 'keep', 3002)]);
    expect(repository.isCondemned('bad.example', '/', 4000)).toBeUndefined();
  });
});

describe('soft-404', () => {
  it('two error pages make an area possible soft-404, whatever their text', async () => {
    await repository.recordMany(many(1, 'soft.example', 'soft-404', { textHash: 'same' }));
    expect(repository.isCondemned('soft.example', '/', 2000)).toBeUndefined();
    await repository.recordMany(many(1, 'soft.example', 'soft-404', { textHash: 'same' }));
    expect(repository.isCondemned('soft.example', '/', 2000)?.sentence).toBe('possible-soft-404');
  });

  it('two of 200 do not', async () => {
    await repository.recordMany([...many(198, 'fine.example', 'keep'), ...many(2, 'fine.example', 'soft-404')]);
    expect(repository.isCondemned('fine.example', '/', 2000)).toBeUndefined();
  });
});

describe('by hand', () => {
  it('block and allow win over the model, the narrower over the wider', async () => {
    await repository.block('good.example', 1000);
    expect(repository.isCondemned('www.good.example', '/', 2000)?.why).toBe('blocked by hand');
    await repository.allow('good.example/docs/', 1000);
    expect(repository.isCondemned('good.example', '/docs/x', 2000)).toBeUndefined();
    expect(repository.isCondemned('good.example', '/else', 2000)?.sentence).toBe('spam');
    await repository.allow('bad.example', 1000);
    await repository.recordMany(many(20, 'bad.example', 'spam'));
    expect(repository.isCondemned('bad.example', '/', 2000)).toBeUndefined();
  });

  it('forgive forgets evidence and condemnation', async () => {
    await repository.recordMany(many(11, 'bad.example', 'spam'));
    expect(await repository.forgive('bad.example')).toBe(true);
    expect(repository.isCondemned('bad.example', '/', 2000)).toBeUndefined();
    await repository.recordMany(many(1, 'bad.example', 'spam'));
    expect(repository.isCondemned('bad.example', '/', 2000)).toBeUndefined();
    expect(await repository.forgive('///')).toBe(false);
  });

  it('what was decided is there after opening again, and batches may be repeated', async () => {
    const batch = many(11, 'bad.example', 'spam');
    await repository.recordMany(batch);
    await repository.recordMany(batch);
    const again = new GarbageRepository(database, OPTIONS);
    expect(again.list(2000)).toEqual(repository.list(2000));
    expect(again.list(2000)[0]?.judged).toBe(11);
  });
});

describe('areas', () => {
  it.each([
    ['example.com', '*.example.com'],
    ['*.Example.com', '*.example.com'],
    ['https://www.example.com/shop/item?x', 'www.example.com/shop/'],
    ['www.example.com/~Nobody', 'www.example.com/~Nobody/'],
    ['www.example.com/manual/page.html', 'www.example.com/manual/'],
    ['localhost', '*.localhost'],
    ['com', undefined],
    ['co.uk/shop/', undefined],
    ['bücher.example', '*.xn--bcher-kva.example'],
    ['not a host', undefined],
  ])('%s → %s', (text, area) => expect(parseArea(text)).toBe(area));

  it('encloses a page from the narrowest to the domain', () => {
    expect(enclosingAreas('a.b.example.com', '/x/y/z?q=/w/')).toEqual([
      'a.b.example.com/x/y/',
      'a.b.example.com/x/',
      'a.b.example.com/',
      '*.a.b.example.com',
      '*.b.example.com',
      '*.example.com',
    ]);
  });
});

it('the lower bound is a share below the observed one, rising with evidence', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.float({ min: 0, max: 1, noNaN: true }), (total, part) => {
      const found = Math.round(total * part);
      const bound = lowerBound(found, total);
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(found / total);
      expect(lowerBound(found * 4, total * 4)).toBeGreaterThanOrEqual(bound);
    }),
  );
});
