import { describe, expect, it } from 'vitest';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { createDetector } from './detect-garbage.ts';
import { ModelStore, SHIPPED_MODELS } from './model-store/model-store.ts';
import { type DetectorModel, isDetectorModel } from './supervised-analyser/detector-model.ts';

const store = new ModelStore<DetectorModel>('', SHIPPED_MODELS, isDetectorModel);
const [spam, soft] = [store.load('spam'), store.load('soft-404')];
if (spam === undefined || soft === undefined) throw new Error('the shipped models are missing');
const detector = createDetector({ models: { spam, 'soft-404': soft }, sureHam: 0.02, sureGarbage: 0.98 });

const judge = (html: string) =>
  detector.judge(
    readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS),
    {},
    { level: 'standard', host: {}, size: 'full' },
  );

const TRADES: Readonly<Record<string, readonly string[]>> = {
  casino: ['best online casino', 'casino free spins', 'live casino bonus', 'casino roulette tips', 'real money casino'],
  essays: ['write my essay', 'cheap essay service', 'essay help online', 'buy an essay', 'essay writers hired'],
  pills: ['acheter viagra en ligne', 'viagra sans ordonnance', 'pharmacie viagra livraison', 'viagra pas cher'],
  loans: ['займ на карту', 'займ без отказа', 'срочный займ', 'займ онлайн'],
  bags: ['バッグ 激安 通販', 'ブランド バッグ コピー', 'バッグ 格安 販売', 'バッグ 新作 人気'],
};

const FORMS: Readonly<Record<string, (links: string) => string>> = {
  'display:none': (links) => `<div style="display:none">${links}</div>`,
  'off the screen': (links) => `<div style="position:absolute;left:-9999px">${links}</div>`,
  'no font size': (links) => `<span style="font-size:0">${links}</span>`,
  'a marquee of no size': (links) =>
    `<marquee style="position:absolute;width:0px;height:0px;overflow:hidden">${links}</marquee>`,
};

const chapel = (
  extra: string,
) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>St Anne's chapel choir</title></head>
<body><nav><a href="/">Home</a> <a href="/choir">Choir</a></nav><main><h1>Rehearsals in spring</h1>
<p>We meet on Thursdays after evening prayer in the vestry. New voices are welcome, tenors more than anybody else.</p>
<p>The programme for Easter is pinned to the door; copies of the score lie on the organ. Please bring a pencil.</p></main>
<footer><a href="https://www.diocese.example/">The diocese</a> <a href="https://facebook.com/stanne">Facebook</a></footer>${extra}</body></html>`;

const links = (words: readonly string[]) =>
  words.map((text, at) => `<a href="https://shop${at}-away.example${at}.com/">${text}</a>`).join(' ');

describe('links put in by others', () => {
  it('the page without them is kept', () => expect(judge(chapel('')).verdict).toBe('keep'));

  it.each(Object.keys(TRADES).flatMap((trade) => Object.keys(FORMS).map((form) => [trade, form] as const)))(
    '%s, %s',
    (trade, form) => {
      const judgement = judge(chapel(FORMS[form]?.(links(TRADES[trade] ?? [])) ?? ''));
      expect(judgement).toMatchObject({ verdict: 'spam', kinds: ['injected'] });
      expect(judgement.reasons.join(' ')).toContain('as if put in by others');
    },
  );

  it('visible ones in another script', () => {
    expect(judge(chapel(`<p>${links(TRADES['bags'] ?? [])}</p>`)).kinds).toEqual(['injected']);
  });

  it('a hidden menu of sister sites and a list of friends are kept', () => {
    const sisters = ['Denmark', 'Norway', 'Sweden', 'Iceland'].map(
      (name) => `<a href="https://choir.${name}.com/">Choirs of ${name}</a>`,
    );
    expect(judge(chapel(`<nav style="display:none">${sisters.join('')}</nav>`)).verdict).toBe('keep');
    const friends = ['Abbey singers', 'Bell ringers', 'Organ builders', 'Hymn society'].map(
      (name) => `<li><a href="https://${name.toLowerCase().replace(' ', '')}.org/">${name}</a></li>`,
    );
    expect(judge(chapel(`<h2>Friends</h2><ul>${friends.join('')}</ul>`)).verdict).toBe('keep');
  });
});

it('comments of visitors that the site marks as such (ugc) say nothing against its page', () => {
  const comments = (rel: string) =>
    TRADES['casino']
      ?.slice(0, 4)
      .map((text, n) => `<li>Nice post! <a href="https://offer-${n}.example/" rel="${rel}">${text}</a></li>`)
      .join('');
  const marked = judge(chapel(`<ol>${comments('external ugc nofollow')}</ol>`));
  expect(marked.verdict).toBe('keep');
  expect(marked.kinds).toEqual([]);
  expect(marked.features['trade_links']).toBe(0);
  expect(judge(chapel(`<ol>${comments('external')}</ol>`)).features['trade_links']).toBe(4);
});
