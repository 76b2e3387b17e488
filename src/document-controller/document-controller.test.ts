import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { type Candidate, type Changes, DocumentController, type Fingerprint } from './document-controller.ts';
import { isNear } from './near.ts';
import { edit, printOf, words } from './test-support.ts';

const OPTIONS = { templateTexts: 3, maxCandidates: 1000, cacheRows: 50 };
const MODEL = 'model 1, fast';

function openMemory(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 100, cacheBytes: 4 << 20 });
}

function page(id: number, changes: Partial<Candidate> = {}): Candidate {
  const url = changes.url ?? `http://s${id}.example/p`;
  return { id, url, key: url, canonical: undefined, site: new URL(url).host, ...changes };
}

interface Doc {
  readonly candidate: Candidate;
  readonly print: Fingerprint;
}

/** The rule of the grouping, written the slow way over the whole set: page id → representative's page id. */
function naiveGroups(docs: readonly Doc[], templateTexts: number): Map<number, number> {
  const rank = ({ canonical, key, url }: Candidate): readonly (number | string)[] => [
    canonical === key ? 0 : canonical === undefined ? 1 : 2,
    url.startsWith('https:') ? 0 : 1,
    key.length,
    key,
  ];
  const before = (a: Candidate, b: Candidate) => {
    const [x, y] = [rank(a), rank(b)];
    const at = x.findIndex((value, i) => value !== y[i]);
    return (x[at] ?? 0) < (y[at] ?? 0);
  };
  const sorted = [...docs].sort((a, b) => (before(a.candidate, b.candidate) ? -1 : 1));
  const templates = new Set<string>();
  const holders = new Map<string, Set<string>>();
  for (const { candidate, print } of docs)
    for (const block of print.blocks) {
      const at = `${candidate.site} ${block}`;
      const texts = holders.get(at) ?? new Set();
      holders.set(at, texts.add(print.textHash));
      if (texts.size >= templateTexts) templates.add(at);
    }
  const heads: Doc[] = [];
  const groups = new Map<number, number>();
  const texts = new Map<string, number>();
  for (const doc of sorted) {
    const known = texts.get(doc.print.textHash);
    const near = heads.find((head) =>
      head.candidate.site === doc.candidate.site
        ? isNear(head.print, doc.print, (block) => templates.has(`${doc.candidate.site} ${block}`))
        : isNear(head.print, doc.print),
    );
    const of = known ?? near?.candidate.id ?? doc.candidate.id;
    if (known === undefined && near === undefined) heads.push(doc);
    texts.set(doc.print.textHash, of);
    groups.set(doc.candidate.id, of);
  }
  return groups;
}

/** Follows the answers as the engine does: which pages are kept. */
class Follower {
  readonly kept = new Set<number>();

  apply(changes: Changes): void {
    for (const id of changes.replaced) this.kept.delete(id);
    for (const id of changes.restored) this.kept.add(id);
  }
}

function groupsOf(controller: DocumentController, docs: readonly Doc[]): Map<number, number> {
  return new Map(docs.map(({ candidate: { id } }) => [id, controller.placeOf(id)?.of ?? id]));
}

function admitAll(docs: readonly Doc[], flushEvery: number): { groups: Map<number, number>; kept: Set<number> } {
  const database = openMemory();
  const controller = new DocumentController(database, OPTIONS);
  const follower = new Follower();
  docs.forEach(({ candidate, print }, i) => {
    const admission = controller.admit(candidate, print, MODEL);
    if (admission.relation === 'new') follower.kept.add(candidate.id);
    follower.apply(admission);
    if (i % flushEvery === 0) database.transaction(() => controller.flush());
  });
  const result = { groups: groupsOf(controller, docs), kept: follower.kept };
  database.close();
  return result;
}

/** Chains of edits (near is not transitive along them), exact copies, sites with shared blocks. */
const docsArbitrary = fc
  .array(
    fc.record({
      base: fc.integer({ min: 0, max: 1 }),
      edits: fc.integer({ min: 0, max: 8 }),
      site: fc.integer({ min: 0, max: 3 }),
      https: fc.boolean(),
      canonical: fc.constantFrom('self', 'none', 'other'),
      template: fc.boolean(),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((specs) =>
    specs.map((spec, i): Doc => {
      let text = words(120, spec.base);
      for (let step = 0; step < spec.edits; step++) text = edit(text, 0.02, spec.base * 10 + step);
      // Site 3 stands for sites of one page.
      const host = spec.site === 3 ? `t${i}` : `s${spec.site}`;
      const url = `${spec.https ? 'https' : 'http'}://${host}.example/${'x'.repeat(i % 4)}${i}`;
      const canonical = spec.canonical === 'self' ? url : spec.canonical === 'none' ? undefined : 'http://o.example/';
      const template = spec.template ? `\n${words(60, 100 + spec.site).join(' ')}` : '';
      return { candidate: page(i + 1, { url, canonical }), print: printOf(text.join(' ') + template) };
    }),
  );

describe('the representative', () => {
  it('depends on the set of pages only: any order gives what the slow rule gives', () => {
    fc.assert(
      fc.property(
        docsArbitrary.chain((docs) =>
          fc.tuple(fc.shuffledSubarray(docs, { minLength: docs.length }), fc.integer({ min: 1, max: 9 })),
        ),
        ([docs, flushEvery]) => {
          const expected = naiveGroups(docs, OPTIONS.templateTexts);
          const { groups, kept } = admitAll(docs, flushEvery);
          expect(groups).toEqual(expected);
          expect([...kept].sort()).toEqual([...new Set(expected.values())].sort());
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is the same in all 120 orders of five pages whose nearness is a chain', () => {
    const docs: Doc[] = [];
    let text = words(200, 1);
    for (let i = 0; i < 5; i++) {
      docs.push({
        candidate: page(i + 1, { url: `http://s${i}.example/${'abc'[(i * 2) % 3]}` }),
        print: printOf(text.join(' ')),
      });
      text = edit(text, 0.04, i);
    }
    const expected = naiveGroups(docs, OPTIONS.templateTexts);
    expect(new Set(expected.values()).size).toBeGreaterThan(1);
    for (const order of permutations(docs)) expect(admitAll(order, 2).groups).toEqual(expected);
  });

  it('stays right when pages change, go and come back', () => {
    const steps = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(docsArbitrary, steps, (docs, operations) => {
        const database = openMemory();
        // Templates stay templates when their pages go, which the slow rule does not know.
        const controller = new DocumentController(database, { ...OPTIONS, templateTexts: 1000 });
        const held = new Map<number, Doc>();
        const follower = new Follower();
        operations.forEach(([at, isRemoval], i) => {
          const doc = docs[at % docs.length] as Doc;
          // Ids are shared by neighbours, so admitting one is often a re-crawl of another with a new text.
          const candidate = { ...doc.candidate, id: Math.ceil(doc.candidate.id / 2) };
          if (isRemoval) {
            follower.apply(controller.remove([candidate.id]));
            follower.kept.delete(candidate.id);
            held.delete(candidate.id);
          } else {
            const admission = controller.admit(candidate, doc.print, MODEL);
            follower.kept.delete(candidate.id);
            if (admission.relation === 'new') follower.kept.add(candidate.id);
            follower.apply(admission);
            held.set(candidate.id, { candidate, print: doc.print });
          }
          if (i % 3 === 0) database.transaction(() => controller.flush());
        });
        const expected = naiveGroups([...held.values()], 1000);
        expect(groupsOf(controller, [...held.values()])).toEqual(expected);
        expect([...follower.kept].sort()).toEqual([...new Set(expected.values())].sort());
        database.close();
      }),
      { numRuns: 200 },
    );
  });

  it('is the canonical page, else https, else the shortest key, else the smallest', () => {
    const print = printOf(words(100, 3).join(' '));
    const best = (...urls: readonly (readonly [string, string | undefined])[]) => {
      const docs = urls.map(([url, canonical], i) => ({ candidate: page(i + 1, { url, canonical }), print }));
      return urls[(admitAll(docs, 1).groups.get(1) ?? 0) - 1]?.[0];
    };
    expect(best(['https://a.example/', undefined], ['http://b.example/long', 'http://b.example/long'])).toBe(
      'http://b.example/long',
    );
    expect(best(['https://a.example/', 'http://c.example/'], ['http://c.example/', undefined])).toBe(
      'http://c.example/',
    );
    expect(best(['http://a.example/', undefined], ['https://a.example/index.html', undefined])).toBe(
      'https://a.example/index.html',
    );
    expect(best(['http://a.example/index.html', undefined], ['http://a.example/', undefined])).toBe(
      'http://a.example/',
    );
    expect(best(['http://b.example/', undefined], ['http://a.example/', undefined])).toBe('http://a.example/');
  });

  it('T6: pages that differ in session ids only are one document', () => {
    const database = openMemory();
    const controller = new DocumentController(database, OPTIONS);
    const text = words(80, 4).join(' ');
    const relations = ['a1', 'b2', 'c3'].map((session, i) => {
      const url = `http://shop.example/item?sid=${session}`;
      const print = { ...printOf(text), bodyHash: session };
      return controller.admit(page(i + 1, { url }), print, MODEL).relation;
    });
    expect(relations).toEqual(['new', 'exact', 'exact']);
    database.close();
  });
});

describe('copies of garbage', () => {
  const text = words(150, 9);
  const open = () => {
    const database = openMemory();
    return { database, controller: new DocumentController(database, OPTIONS) };
  };

  it('take its verdict while model and level are the same', () => {
    const { controller, database } = open();
    controller.admit(page(1), printOf(text.join(' ')), MODEL);
    controller.rememberGarbage(1, MODEL);
    database.transaction(() => controller.flush());
    const near = printOf(edit(text, 0.02, 1).join(' '));
    expect(controller.admit(page(2), printOf(text.join(' ')), MODEL)).toMatchObject({
      relation: 'garbage-copy',
      of: 1,
    });
    expect(controller.admit(page(3), near, MODEL)).toMatchObject({ relation: 'garbage-copy', of: 1 });
    expect(controller.admit(page(4), printOf(words(150, 10).join(' ')), MODEL).relation).toBe('new');
    expect(controller.admit(page(5, { url: 'http://a.example/' }), near, 'model 2, fast').relation).toBe('new');
    database.close();
  });

  it('are named when the verdict comes after them, but for those judged worth keeping themselves', () => {
    const { controller, database } = open();
    const long = (id: number) => page(id, { url: `http://s${id}.example/long/${id}` });
    controller.admit(long(2), printOf(edit(text, 0.02, 1).join(' ')), MODEL);
    controller.rememberKept(2, MODEL);
    const second = controller.admit(page(1, { url: 'https://s1.example/' }), printOf(text.join(' ')), MODEL);
    expect(second).toMatchObject({ relation: 'new', replaced: [2] });
    controller.admit(long(3), printOf(edit(text, 0.02, 3).join(' ')), MODEL);
    controller.admit(long(4), printOf(text.join(' ')), MODEL);
    const changes = controller.rememberGarbage(1, MODEL);
    expect(changes.restored).toEqual([2]);
    expect([...changes.condemned].sort()).toEqual([3, 4]);
    expect(controller.placeOf(2)?.relation).toBe('new');
    database.close();
  });

  it('are free again when the verdict is taken back', () => {
    const { controller, database } = open();
    controller.admit(page(1), printOf(text.join(' ')), MODEL);
    controller.rememberGarbage(1, MODEL);
    controller.admit(page(2), printOf(edit(text, 0.02, 1).join(' ')), MODEL);
    expect(controller.forgive(1).restored).toEqual([1]);
    expect(controller.placeOf(2)).toEqual({ relation: 'near', of: 1 });
    database.close();
  });
});

describe('whatever happens in whatever order', () => {
  const operation = fc.tuple(
    fc.constantFrom('admit', 'admit', 'admit', 'garbage', 'keep', 'forgive', 'remove'),
    fc.nat(),
  );

  it('the answers followed one by one say which pages are kept', () => {
    fc.assert(
      fc.property(docsArbitrary, fc.array(operation, { minLength: 5, maxLength: 60 }), (docs, operations) => {
        const database = openMemory();
        const controller = new DocumentController(database, OPTIONS);
        const kept = new Set<number>();
        const held = new Set<number>();
        operations.forEach(([what, at], i) => {
          const doc = docs[at % docs.length] as Doc;
          const { id } = doc.candidate;
          if (what !== 'admit' && !held.has(id)) return;
          const changes = run(controller, what, doc);
          if (what === 'admit') held.add(id);
          if (what === 'remove') held.delete(id);
          if (what === 'garbage' || what === 'remove') kept.delete(id);
          else if (what === 'admit' && controller.placeOf(id)?.relation === 'new') kept.add(id);
          else if (what === 'admit') kept.delete(id);
          for (const page of [...changes.replaced, ...changes.condemned]) kept.delete(page);
          for (const page of changes.restored) kept.add(page);
          if (i % 4 === 0) database.transaction(() => controller.flush());
          const expected = [...held].filter((page) => controller.placeOf(page)?.relation === 'new');
          expect([...kept].sort()).toEqual(expected.sort());
        });
        database.close();
      }),
      { numRuns: 150 },
    );
  });

  function run(controller: DocumentController, what: string, { candidate, print }: Doc): Changes {
    if (what === 'garbage') return controller.rememberGarbage(candidate.id, MODEL);
    if (what === 'keep') return controller.rememberKept(candidate.id, MODEL);
    if (what === 'forgive') return controller.forgive(candidate.id);
    if (what === 'remove') return controller.remove([candidate.id]);
    return controller.admit(candidate, print, MODEL);
  }
});

describe('pending and stored', () => {
  it('a rolled back flush loses nothing', () => {
    const database = openMemory();
    const controller = new DocumentController(database, OPTIONS);
    const text = words(150, 9).join(' ');
    controller.admit(page(1), printOf(text), MODEL);
    expect(() =>
      database.transaction(() => {
        controller.flush();
        throw new Error('disk full');
      }),
    ).toThrow('disk full');
    expect(controller.admit(page(2, { url: 'http://s.example/longer' }), printOf(text), MODEL).of).toBe(1);
    database.transaction(() => controller.flush());
    const again = new DocumentController(database, OPTIONS);
    expect(again.placeOf(2)).toEqual({ relation: 'exact', of: 1 });
    database.close();
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}
