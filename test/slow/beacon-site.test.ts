import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beaconLines } from '../../src/engine/beacon-script.ts';
import { serve, until } from '../support/beacon-stage.ts';
import { paragraph } from '../support/prose.ts';
import { winnow } from '../support/winnow.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'];

if (!existsSync(CHROMIUM)) console.warn(`beacon on a site: skipped, there is no ${CHROMIUM}`);

const PATHS = ['/', '/plain', '/noisy', '/strict'];

/** A site with the plain line, one with nonce, clock and advertisement, and one under the documented policy. */
class Site {
  readonly server: Server;
  news = '';
  title = 'Island';
  serverUrl = '';
  /** Of the crawler, by path. */
  readonly crawls = new Map<string, number>();
  #views = 0;

  constructor() {
    this.server = createServer((request, response) => this.#answer(request, response));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    if (/^winnow/i.test(request.headers['user-agent'] ?? '')) this.crawls.set(path, (this.crawls.get(path) ?? 0) + 1);
    const { tag, inline, policy } = beaconLines(this.serverUrl);
    const body = this.#bodies(path);
    if (body === undefined) return void response.writeHead(404).end();
    if (path === '/strict') response.setHeader('content-security-policy', `default-src 'self'; ${policy}`);
    response.writeHead(200, { 'content-type': 'text/html' });
    const links = PATHS.slice(1)
      .map((href) => `<a href="${href}">${href}</a>`)
      .join(' ');
    const head = `<title>${this.title} ${path}</title>${path === '/strict' ? inline : tag}`;
    response.end(`<!doctype html><head>${head}</head><main>${body}</main><nav>${links}</nav>`);
  }

  #bodies(path: string): string | undefined {
    const text = [0, 1, 2, 3].map((n) => `<p>${paragraph(PATHS.indexOf(path) * 8 + n)}</p>`).join('');
    const news = path === '/' ? '' : this.news;
    if (path === '/noisy') {
      const view = ++this.#views;
      return `<p>${news}</p>${text}<p id="clock"></p><a href="/noisy?nonce=${view}">vote</a>
<img src="/advertisement-${view % 3}.png" alt=""><script>clock.textContent = performance.timeOrigin</script>`;
    }
    return PATHS.includes(path) ? `<p>${news}</p>${text}` : undefined;
  }
}

describe.skipIf(!existsSync(CHROMIUM))(
  'a site with the beacon, seen by a real browser',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'winnow-beacon-site-'));
    const site = new Site();
    let origin = '';
    let server: Awaited<ReturnType<typeof serve>>;
    let browser: Browser;
    const search = async (query: string): Promise<number> =>
      JSON.parse((await winnow(['search', query, '--data', folder, '--json'])).stdout).total;

    beforeAll(async () => {
      await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
      const address = site.server.address();
      origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
      const config = join(folder, 'settings.json');
      const beacon = { visitors: 1, newEnoughMs: 0, standingMs: 0, commitMs: 50, sitesMs: 50 };
      writeFileSync(config, JSON.stringify({ beacon, crawl: { level: 'off' } }));
      const fetching = ['--data', folder, '--config', config, '--allow-private', '--delay', '0'];
      server = await serve([...fetching, '--update']);
      site.serverUrl = server.url;
      await winnow(['crawl', origin, ...fetching]);
      await winnow(['site', 'add', origin, '--data', folder]);
      browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await server?.kill('SIGTERM');
      site.server.closeAllConnections();
      site.server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Opens a page with nothing cached, does something there, and closes it. */
    async function open<T>(work: (page: Page) => Promise<T>): Promise<T> {
      const context = await browser.newContext();
      try {
        return await work(await context.newPage());
      } finally {
        await context.close();
      }
    }

    /** Whether the visit ended with a report; the rest were not asked for one. */
    const visit = (path: string): Promise<boolean> =>
      open(async (page) => {
        const script = page.waitForResponse((response) => response.url().endsWith('/beacon.js'));
        const sent = page.waitForRequest((request) => request.url().endsWith('/beacon'), { timeout: 10_000 });
        const reported = sent.then(
          () => true,
          () => false,
        );
        await page.goto(origin + path);
        return (await script).status() === 200 ? await reported : false;
      });
    /** A page is not asked about while it waits for a crawl. */
    const visitAndReport = (path: string): Promise<boolean> => until(() => visit(path), Boolean);

    it('a changed page that one visitor views is found soon after', async () => {
      await visitAndReport('/plain');
      site.news = 'A porpoise came into the inner harbour.';
      await visitAndReport('/plain');
      const before = performance.now();
      await until(
        () => search('porpoise'),
        (total) => total > 0,
      );
      console.log(`found ${((performance.now() - before) / 1000).toFixed(1)} s after the visit`);
    });

    it('under the documented policy the inline form reports', async () => {
      const problems: string[] = [];
      const reported = await until(
        () =>
          open(async (page) => {
            page.on('console', (message) => {
              if (/Content Security Policy.*beacon|beacon.*Content Security Policy/.test(message.text()))
                problems.push(message.text());
            });
            const request = page.waitForRequest((one) => one.url().endsWith('/beacon'), { timeout: 5_000 });
            await page.goto(`${origin}/strict`);
            return await request.then(
              (one) => one.postData() ?? '',
              () => '',
            );
          }),
        (body) => body !== '',
      );
      expect(JSON.parse(reported)).toMatchObject({
        url: `${origin}/strict`,
        text: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(problems).toEqual([]);
    });

    it('nonce, clock and advertisement cause no crawl once they are learnt; a change beside them does', async () => {
      for (let i = 0; i < 12; i++) await visitAndReport('/noisy');
      const learnt = site.crawls.get('/noisy') ?? 0;
      console.log(`${learnt - 1} crawls while learning`);
      expect(learnt).toBeLessThanOrEqual(1 + 3);
      for (let i = 0; i < 12; i++) await visitAndReport('/noisy');
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      expect(site.crawls.get('/noisy')).toBe(learnt);
      site.title = 'Mainland';
      await visitAndReport('/noisy');
      await until(
        async () => site.crawls.get('/noisy') ?? 0,
        (crawls) => crawls > learnt,
      );
    });

    it('with JavaScript off nothing breaks', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      expect((await page.goto(`${origin}/strict`, { waitUntil: 'load' }))?.status()).toBe(200);
      await context.close();
    });

    it('with the server stopped the page paints and is ready; with the inline form it is loaded too', async () => {
      process.kill(server.pid, 'SIGSTOP');
      try {
        for (const [path, event] of [
          ['/plain', 'domcontentloaded'],
          ['/strict', 'load'],
        ] as const) {
          const painted = await open(async (page) => {
            await page.goto(origin + path, { waitUntil: event, timeout: 20_000 });
            const paint = (): boolean => performance.getEntriesByName('first-contentful-paint').length > 0;
            await page.waitForFunction(paint, undefined, { timeout: 20_000 });
            return true;
          });
          expect(painted).toBe(true);
        }
      } finally {
        process.kill(server.pid, 'SIGCONT');
      }
    });
  },
  600_000,
);
