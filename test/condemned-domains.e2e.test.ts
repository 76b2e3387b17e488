import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainUrl } from '../src/engine/explain.ts';
import { readGarbage } from '../src/engine/garbage-list.ts';
import type { UrlHistory } from '../src/model/reports.ts';
import { type ManyHosts, startManyHosts } from './support/many-hosts.ts';
import { paragraph } from './support/prose.ts';

const DAY = 86_400_000;
const FARM = ['lucky-wheel.example', 'royal-chips.example', 'spin-palace.example'];
const HUBS = ['first-hub.example', 'second-hub.example', 'third-hub.example', 'fourth-hub.example'];
/** One text on every page but for the name of a town, at addresses without a pattern that a trap would have. */
const COPIES = 'same-again.example';
const TOWNS = ['alden', 'birch', 'corin', 'dover', 'egham', 'fulda', 'genoa', 'hythe', 'ivrea', 'jarrow'];
const COPY_PATHS = TOWNS.flatMap((a) => TOWNS.map((b) => `/${a}/${b}.html`));
const HOSTS = [
  ...FARM,
  ...HUBS,
  COPIES,
  'copies-hub.example',
  'thin.example',
  'lonely.example',
  'citing.example',
  'warning.example',
];
/** Pages of each farm that the first hub names; eleven condemn. */
const NAMED = 20;

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const link = (url: string, text: string) => `<a href="${url}">${text}</a>`;
const casino = (n: number) =>
  page(`Casino bonus number ${n}`, [0, 1, 2, 3].map((at) => `<p>${paragraph(n + at)} Casino bonus.</p>`).join(''));
const thin = (n: number, links: string) =>
  page(
    'Best price review, buy online',
    `${[0, 1, 2].map((at) => `<p>The best offer of the year, really recommended for you. ${paragraph(n + at)}</p>`).join('')}<p>${links}</p>`,
  );

/** Links on the pages of the hubs and of those who link into the farm. */
function answer(host: string, path: string, url: ManyHosts['url']): string | undefined {
  const offers = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) =>
      link(url(FARM[at % FARM.length] ?? '', `/offer-${from + Math.floor(at / FARM.length)}.html`), `Offer ${at}`),
    ).join(' ');
  const offer = Number(/^\/offer-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
  if (FARM.includes(host)) return offer < 40 ? casino(1000 * (FARM.indexOf(host) + 1) + 8 * offer) : undefined;
  if (host === COPIES) return casino(5000).replace('</main>', `<p>Offers near you: ${path.slice(1, -5)}</p></main>`);
  if (host === 'copies-hub.example' && path === '/first')
    return page('A hub of one', `<p>${paragraph(4)} ${link(url(COPIES, '/'), 'Offers')}</p>`);
  if (path !== '/') return undefined;
  const own = Array.from({ length: 9 }, (_, at) => link(url(HUBS[at % 2] ?? '', `/?${at}`), `Page ${at}`)).join(' ');
  switch (host) {
    case HUBS[0]:
      return page('A hub', `<p>${paragraph(1)}</p><p>${offers(3 * NAMED)}</p>`);
    case HUBS[1]: {
      const readers = ['thin.example', 'lonely.example', 'citing.example', 'warning.example'];
      const links = readers.map((name) => link(url(name, '/'), name)).join(' ');
      return page('Another hub', `<p>${paragraph(2)}</p><p>${links} ${offers(3, 30)}</p>`);
    }
    case HUBS[2]:
    case HUBS[3]:
      return page(`The hub ${host}`, `<p>${paragraph(host.length)}</p><p>${offers(3, 30)}</p>`);
    case 'copies-hub.example': {
      const links = COPY_PATHS.map((to) => link(url(COPIES, to), to)).join(' ');
      return page('A hub of copies', `<p>${paragraph(3)}</p><p>${links}</p>`);
    }
    case 'thin.example':
      return thin(50, offers(6));
    case 'lonely.example':
      return thin(70, '');
    case 'citing.example':
      return page('Letters about the fraud', `<p>${paragraph(90)}</p><p>${offers(1)} ${own}</p>`);
    case 'warning.example':
      return page(
        'A list of harbour scams',
        `<p>${paragraph(95)} ${paragraph(96)} ${paragraph(97)}</p><p>${offers(6)}</p>`,
      );
    default:
      return undefined;
  }
}

describe('condemned domains', () => {
  let web: ManyHosts;
  /** To the farm, until it was condemned. */
  let requestsBefore = 0;
  const history = async (host: string): Promise<UrlHistory> => {
    const found = await explainUrl(web.url(host, '/'), web.dataDir, web.config);
    if (found === undefined) throw new Error(`${host} was never seen`);
    return found;
  };
  const ofFarm = () => web.requests.filter((request) => FARM.some((host) => request.startsWith(host)));

  beforeAll(async () => {
    web = await startManyHosts(HOSTS, answer);
    await web.crawl(web.url(HUBS[0] ?? '', '/'));
    requestsBefore = ofFarm().length;
    web.requests.length = 0;
    await web.crawl(web.url(HUBS[1] ?? '', '/'));
  });
  afterAll(() => web.stop());

  it('the three domains of the farm are condemned by their pages', async () => {
    const rows = await readGarbage(web.dataDir, web.config);
    const condemned = rows.filter(({ listed }) => listed === 'condemned').map(({ domain }) => domain.replace('*.', ''));
    expect(condemned.sort()).toEqual([...FARM].sort());
    expect(requestsBefore).toBeGreaterThanOrEqual(33);
  });

  it('are not requested again until the condemnation ends, and are then', async () => {
    web.ahead = 29 * DAY;
    await web.crawl(web.url(HUBS[2] ?? '', '/'));
    expect(ofFarm()).toEqual([]);
    web.ahead = 31 * DAY;
    await web.crawl(web.url(HUBS[3] ?? '', '/'));
    expect(new Set(ofFarm())).toEqual(new Set(FARM.map((host) => `${host}/offer-30.html`)));
  });

  it('near copies of one page of garbage are judged too, so that they condemn their domain', async () => {
    await web.crawl(web.url('copies-hub.example', '/first'));
    await web.crawl(web.url('copies-hub.example', '/'));
    const rows = await readGarbage(web.dataDir, web.config);
    const row = rows.find(({ domain }) => domain === `*.${COPIES}`);
    expect(row?.listed).toBe('condemned');
    const pages = await Promise.all(
      COPY_PATHS.map((path) => explainUrl(web.url(COPIES, path), web.dataDir, web.config)),
    );
    const copy = pages.find((found) => found?.reason === 'copy-of-garbage');
    expect(copy?.duplicateOf).toContain(COPIES);
    expect(row?.why).toMatch(/^(1[1-9]|[2-9]\d) of \1 judged pages are spam/);
  });

  it('garbage neighbours: a page that leans to spam and links into them is garbage, with the reason', async () => {
    const { state, reasons } = await history('thin.example');
    expect(state).toBe('garbage');
    expect(reasons?.join(' ')).toContain('6 links into 3 domains condemned for spam (100 % of those that lead away)');
  });

  it('without such links it is kept; so is a good page that cites them once, or many times', async () => {
    for (const host of ['lonely.example', 'citing.example', 'warning.example']) {
      const { state, reasons } = await history(host);
      expect([host, state, reasons]).toEqual([host, 'kept', reasons]);
    }
  });
});
