import { expect, it } from 'vitest';
import type { Level } from '../model/lists.ts';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { createJudge } from './judging.ts';

const fresh = () => createJudge({ modelFolder: '', sureHam: 0.02, sureGarbage: 0.98 });

const SPAM = `<title>Slot gacor hari ini, situs judi slot online terpercaya</title><h1>Slot gacor maxwin</h1>
  <p>Daftar situs slot gacor, agen judi bola dan togel online, bonus new member, RTP live, deposit pulsa.</p>
  ${'<p>Main slot online gampang maxwin di situs judi slot88 resmi, daftar sekarang.</p>'.repeat(20)}`;
const DULL =
  '<title>Casino night</title><h1>Casino night</h1><p>Roulette and blackjack in the village hall on Friday.</p>';

function judge(
  by: ReturnType<typeof fresh>,
  html: string,
  at: { readonly url: string; readonly level: Exclude<Level, 'off'> },
) {
  const context = { url: at.url, status: 200 };
  const page = readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS);
  return by(page, context, { level: at.level, size: 'full', host: {} });
}

/** Of a page on a host that has shown five pages of spam. */
function afterSpam(level: Exclude<Level, 'off'>, host: string) {
  const by = fresh();
  for (let page = 0; page < 5; page++) {
    const seen = judge(by, SPAM, { url: `http://bad.example/${page}`, level });
    expect(seen.verdict).toBe('spam');
  }
  return judge(by, DULL, { url: `http://${host}/night`, level });
}

it('the pages of a host that were judged before speak against a page of it, and of no other', () => {
  const alone = judge(fresh(), DULL, { url: 'http://bad.example/night', level: 'standard' });
  const known = afterSpam('standard', 'bad.example');
  expect(known.probability.spam).toBeGreaterThan(alone.probability.spam);
  expect(known.reasons.join(' ')).toContain('other pages of its host look like spam');
  expect(afterSpam('standard', 'good.example').probability.spam).toBe(alone.probability.spam);
});

it('fast judges a page by itself, whatever was met before: a killed crawl remembers nothing', () => {
  const alone = judge(fresh(), DULL, { url: 'http://bad.example/night', level: 'fast' });
  expect(afterSpam('fast', 'bad.example').probability).toEqual(alone.probability);
});
