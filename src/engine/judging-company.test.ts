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
  const ARTICLES: Readonly<Record<string, string>> = {
    'Roses in March':
      'Cut the old wood out before the buds swell, down to the third eye that looks away from the middle. Ramblers are another matter: they bloom on last year’s shoots, so we only tie them in and take away what died in the frost. The cuttings go to the bonfire and never on the compost, for black spot winters on them. Whoever has a spare pair of gloves, please bring it along on Saturday.',
    'How an organ pipe is tuned':
      'A flue pipe of tin is tuned at its top by a slide, a stopped one of oak by pushing its stopper. Reeds have a wire that shortens the tongue. Warm air is thinner and every flue goes sharp with it while the reeds stay where they were, which is why nobody should heat the church on the morning of a concert. We took the temperature down on the wall beside the bellows for a year.',
    'Reading a tide table':
      'Heights are given above chart datum, so add what the chart shows. Between high and low water the sea moves by the rule of twelfths, one, two, three, three, two, one, hour after hour. Springs come about two days after new and full moon. A strong south-westerly keeps the water in the estuary and the ebb is late by up to forty minutes; the harbour office hangs out a board then.',
    'A slate roof, fifty years on':
      'The slates outlive their nails. When two or three come down after a gale it is the iron that has rusted, and a roofer with a ripper can slide new ones in under the course above and hang them from a strip of copper. If a whole slope begins to slip, strip it, sort the sound slates by thickness and lay them again over new battens. Welsh ones from our barn have been reused twice.',
    'Rye bread without haste':
      'Feed the sour at noon with coarse meal and water as warm as your hand, again in the evening, and keep a spoonful back for next week. The dough is no dough but a paste: it wants wet fingers and a tin. Two hours later tiny holes show on the flour you dusted over it, and into the hottest oven it goes. Do not cut it on the day it is baked, however good it smells, or it will stick to the knife.',
  };
  const by = fresh();
  for (const [host, [topic, text]] of Object.entries(ARTICLES).entries()) {
    const judgement = judge(by, `club${host}.example`, page(topic, text));
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
