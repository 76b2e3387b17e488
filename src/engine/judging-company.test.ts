import { describe, expect, it } from 'vitest';
import type { Judgement } from '../model/garbage.ts';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { createJudge, type HostKnowledge } from './judging.ts';

/** The judge of a thread with the shipped models: what it remembers from host to host. */
const fresh = () => createJudge({ modelFolder: '', sureHam: 0.02, sureGarbage: 0.98 });

const PICKS = {
  who: ['our experts', 'most buyers', 'many readers', 'smart shoppers', 'people online'],
  do: ['really recommend', 'always choose', 'love to order', 'keep asking for', 'simply prefer'],
  what: [
    'the best offer of the year',
    'these top rated products',
    'a great deal for you',
    'the cheap model in our list',
  ],
  why: ['because it works so well', 'since the price is hard to beat', 'and you will see results', 'for every budget'],
};

function pick(list: readonly string[], host: number, at: number): string {
  return list[(Math.imul(host * 31 + at * 7 + 3, 0x9e3779b1) >>> 20) % list.length] ?? '';
}

const spun = (host: number) =>
  Array.from(
    { length: 30 },
    (_, at) =>
      `${pick(PICKS.who, host, at)} ${pick(PICKS.do, host, at + 99)} ${pick(PICKS.what, host, at + 199)} ${pick(PICKS.why, host, at + 299)}.`,
  ).join(' ');

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><div class="wrap"><header class="top"><a href="/">Home</a></header>
  <main class="post"><h1>${title}</h1><p>${text}</p></main><footer class="foot"><a href="/about">About</a></footer></div></body></html>`;

function judge(by: ReturnType<typeof fresh>, host: string, html: string, known: HostKnowledge = {}): Judgement {
  const context = { url: `https://${host}/post`, status: 200 };
  const read = readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
  return by(read, context, { level: 'auto', size: 'full', host: known });
}

describe('a farm of five domains with spun text', () => {
  const by = fresh();
  const judged = [0, 1, 2, 3, 4].map((host) =>
    judge(by, `farm${host}.example`, page('Best price review, buy online', spun(host))),
  );

  it('its pages lean to spam by themselves, and not enough', () => {
    for (const { features } of judged) {
      expect(features['spam_own_log_odds']).toBeGreaterThan(0);
      expect(features['spam_own_log_odds']).toBeLessThan(3);
    }
    expect(judged[0]?.verdict).toBe('keep');
    expect(judged[0]?.features['farm_domains']).toBeUndefined();
  });

  it('is noticed from the third domain on, in features, reasons and probability', () => {
    for (const [host, { features, reasons, probability }] of judged.entries()) {
      const isNoticed = reasons.some((reason) => reason.includes('sampled phrases of spam-like pages'));
      expect([host, isNoticed]).toEqual([host, host >= 2]);
      if (host < 2) continue;
      expect(features['farm_phrase_frac']).toBeGreaterThanOrEqual(0.3);
      expect(probability.spam).toBeGreaterThan((judged[0]?.probability.spam ?? 1) + 0.1);
    }
    expect(judged[4]?.verdict).toBe('spam');
  });
});

it('five hosts of one theme with articles of their own stay kept', () => {
  const TOPICS = ['roses', 'organ pipes', 'tide tables', 'slate roofs', 'rye bread'];
  const by = fresh();
  for (const [host, topic] of TOPICS.entries()) {
    const text = Array.from(
      { length: 12 },
      (_, at) =>
        `Note ${at} on ${topic}: what ${topic} need in month ${at} was written down by a member of club ${host}, who keeps ${topic} at home.`,
    ).join(' ');
    const judgement = judge(by, `club${host}.example`, page(`About ${topic}`, text));
    expect([topic, judgement.verdict]).toEqual([topic, 'keep']);
    expect(judgement.features['farm_domains'] ?? 0).toBe(0);
  }
});

describe('links into condemned domains', () => {
  const html = page(
    'Choir news',
    'We meet on Thursdays after evening prayer in the vestry and new voices are welcome. '.repeat(6),
  );

  it.each([
    ['cited once', { away: 1, condemned: 1, domains: 1 }],
    ['many of them', { away: 40, condemned: 40, domains: 30 }],
  ])('a good page is kept whatever it links to: %s', (_, neighbours) => {
    expect(judge(fresh(), 'choir.example', html, { neighbours }).verdict).toBe('keep');
  });

  it('a page that leans to spam is called so, with the reason, at every level', () => {
    const leaning = page('Best price review, buy online', spun(0));
    const neighbours = { away: 5, condemned: 4, domains: 3 };
    const judgement = judge(fresh(), 'thin.example', leaning, { neighbours });
    expect(judge(fresh(), 'thin.example', leaning).verdict).toBe('keep');
    expect(judgement.verdict).toBe('spam');
    expect(judgement.features).toMatchObject({
      condemned_links: 4,
      condemned_link_frac: 0.8,
      condemned_link_domains: 3,
    });
    expect(judgement.reasons.join(' ')).toContain('4 links into 3 domains condemned for spam');
  });

  it('what company adds is no evidence of its own: it does not pass to the next page of the host', () => {
    const own = (known: HostKnowledge) => judge(fresh(), 'choir.example', html, known).features['spam_own_log_odds'];
    expect(own({ neighbours: { away: 9, condemned: 9, domains: 9 } })).toBe(own({}));
  });
});
