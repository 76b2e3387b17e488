/**
 * How many pages with links put in by others are found: writes links of many trades into labelled good pages whose owners
 * a fresh model has not seen, in seven ways, and counts. The phrases are written apart from data/trade-words.json.
 *
 * node scripts/injected-links.ts SPAM_DIR
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trainOptions } from '../src/evaluation/garbage.ts';
import { type MeasuredPage, measureFolders } from '../src/evaluation/garbage-pages.ts';
import {
  analyse,
  heuristicsFor,
  pageFacts,
  visitTerms,
} from '../src/garbage-detector/content-analyser/content-analyser.ts';
import { buildCorpus, selectPages } from '../src/garbage-detector/supervised-analyser/corpus.ts';
import { evidenceShift } from '../src/garbage-detector/supervised-analyser/evidence-shift.ts';
import { pairScorer } from '../src/garbage-detector/supervised-analyser/term-model.ts';
import {
  featureRow,
  partProbability,
  trainDetector,
} from '../src/garbage-detector/supervised-analyser/train-detector.ts';
import { seededRandom } from '../src/kit/random.ts';
import { readPage } from '../src/page/page.ts';
import { PAGE_OPTIONS } from '../src/page/page-options.ts';

const TRADES: readonly (readonly string[])[] = [
  ['cheap viagra 100mg', 'order cialis overnight', 'buy xanax without doctor', 'canadian meds', 'where to buy kamagra'],
  ['slot gacor hari ini', 'situs judi bola terbaru', 'agen sbobet', 'togel singapore', 'bandar bola resmi'],
  ['казино онлайн', 'ставки на спорт', 'займ на карту', 'проститутки москвы', 'накрутка подписчиков'],
  ['replica rolex submariner', 'louis vuitton outlet', 'cheap nfl jerseys', 'fake yeezy', 'ugg boots clearance'],
  ['write my essay', 'custom term papers', 'pay for homework', 'essay writers', 'case study writer'],
  ['escort paris', 'sexe en direct', 'porno gratuit', 'plan cul lyon', 'call girls delhi'],
  ['スーパーコピー 時計', 'ブランドコピー 激安', 'カジノ オンライン', '出会い系', 'バイアグラ 通販'],
  ['préstamos sin aval', 'créditos rápidos online', 'casino online españa', 'apuestas deportivas', 'bono sin depósito'],
  ['photoshop cc crack', 'gta 5 mod apk', 'free robux generator', 'idm serial key', 'fifa 23 torrent'],
  ['potenzmittel rezeptfrei', 'kredit ohne schufa', 'wettanbieter', 'führerschein kaufen', 'follower kaufen'],
  ['bitcoin doubler', 'forex signals vip', 'earn 500 a day', 'binary options broker', 'usdt giveaway'],
  ['deneme bonusu veren siteler', 'canlı bahis', 'escort bayan', 'takipçi satın al', 'slot oyna'],
];

const END = /<\/body>|$/i;
const WAYS: Readonly<Record<string, (links: readonly string[], html: string) => string>> = {
  'display:none': (links, html) =>
    html.replace(END, (end) => `<div style="display:none">${links.join(' ')}</div>${end}`),
  'off the screen': (links, html) =>
    html.replace(
      /<body[^>]*>/i,
      (body) => `${body}<div style="position:absolute;left:-9999px">${links.join('<br>')}</div>`,
    ),
  'no height': (links, html) =>
    html.replace(END, (end) => `<div style="height:0;overflow:hidden">${links.join(', ')}</div>${end}`),
  'no font size': (links, html) =>
    html.replace(END, (end) => `<span style="font-size:0px">${links.join(' ')}</span>${end}`),
  'a list at the end': (links, html) =>
    html.replace(END, (end) => `<ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul>${end}`),
  'a line at the end': (links, html) => html.replace(END, (end) => `<p>${links.join(' | ')}</p>${end}`),
  scattered: (links, html) => {
    let next = 0;
    const placed = html.replace(/<\/p>/gi, (end) => (next < links.length ? ` ${links[next++]}${end}` : end));
    return placed.replace(
      END,
      (end) =>
        links
          .slice(next)
          .map((link) => `<p>${link}</p>`)
          .join('') + end,
    );
  },
};
const COUNTS = [3, 5, 10, 20, 40];

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/injected-links.ts SPAM_DIR');
const random = seededRandom('injected links');
const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)] as T;
const pages = measureFolders([{ pages: folder, labels: join(folder, 'labels.csv') }], {
  page: PAGE_OPTIONS,
  group: 'owner',
});
const isUnseen = ({ group }: MeasuredPage): boolean => (createHash('md5').update(group).digest()[0] ?? 0) % 3 === 0;
const corpus = buildCorpus('spam', pages);
const rowOf = new Map(corpus.ids.map((id, row) => [id, row]));
const options = trainOptions('spam', 'standard', 'injected links');
const trained = trainDetector(
  selectPages(
    corpus,
    pages.filter((page) => !isUnseen(page)).flatMap(({ id }) => rowOf.get(id) ?? []),
  ),
  options,
);
const score = pairScorer(trained.terms, trained.terms);

function isSpam(html: Buffer): boolean {
  const facts = pageFacts(readPage(html, {}, PAGE_OPTIONS), {});
  const features = analyse(facts, heuristicsFor(['spam'], 'B'));
  const [{ score: vocabulary }] = score((place, visit) => visitTerms(facts, place, visit));
  const values = featureRow(features, options.features, vocabulary);
  const evidence = evidenceShift('spam', features);
  return partProbability(trained.part, values, { vocabulary, evidence }) >= trained.part.threshold;
}

const found = new Map<string, [number, number]>();
function note(name: string, isFound: boolean): void {
  const [hits, all] = found.get(name) ?? [0, 0];
  found.set(name, [hits + Number(isFound), all + 1]);
}

for (const page of pages.filter((one) => one.label === 'ham' && isUnseen(one))) {
  const bytes = readFileSync(join(folder, page.file));
  note('good pages as they are, called spam', isSpam(bytes));
  const html = bytes.toString('utf8');
  // A page in another encoding would not stay the same.
  if (html.includes('\uFFFD')) continue;
  for (const [way, insert] of Object.entries(WAYS)) {
    const count = pick(COUNTS);
    const domains = Array.from(
      { length: pick([1, 3, count, count]) },
      () =>
        `http://${pick(['best', 'top', 'my', 'go'])}${Math.floor(random.next() * 1e6)}.${pick(['com', 'net', 'ru', 'xyz'])}`,
    );
    const trade = pick(TRADES);
    const links = Array.from(
      { length: count },
      (_, at) => `<a href="${domains[at % domains.length]}/${at}.html">${pick(trade)}</a>`,
    );
    const isFound = isSpam(Buffer.from(insert(links, html)));
    for (const name of [way, `${count} links`, 'all']) note(name, isFound);
  }
}
for (const [name, [hits, all]] of found) console.log(`${name}: ${hits} of ${all} (${(hits / all).toFixed(2)})`);
