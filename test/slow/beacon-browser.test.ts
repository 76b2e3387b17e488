import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BeaconStage, startBeaconStage, until } from '../support/beacon-stage.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const OFFLINE = ['--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP *.example 127.0.0.1'];

if (!existsSync(CHROMIUM)) console.warn(`beacon in a browser: skipped, there is no ${CHROMIUM}`);

describe.skipIf(!existsSync(CHROMIUM))('the beacon in a real browser', () => {
  let stage: BeaconStage;
  let browser: Browser;
  beforeAll(async () => {
    stage = await startBeaconStage({ newEnoughMs: 5_000 });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...OFFLINE] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });

  /** A visit with nothing cached, until the page's script has reported. */
  async function visit(path: string): Promise<Visit> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const consoleErrors: string[] = [];
    page.on('console', (message) => {
      const text = `${message.text()} ${message.location().url}`;
      // The demo's sites have no icon, of which Chromium complains too.
      if (message.type() === 'error' && text.includes('beacon')) consoleErrors.push(text);
    });
    const script = page.waitForResponse((response) => response.url().endsWith('/beacon.js'));
    const report = page.waitForRequest((request) => request.url().endsWith('/beacon'), { timeout: 10_000 });
    const reported = report.then(
      (request) => request,
      () => undefined,
    );
    await page.goto(stage.page(path));
    const status = (await script).status();
    const request = status === 200 ? await reported : undefined;
    const body = request?.postData() ?? undefined;
    const type = await request?.headerValue('content-type');
    const cookies = (await context.cookies()).length;
    await context.close();
    return { status, body, type: type ?? undefined, cookies, consoleErrors };
  }

  it('reports a changed page, whose new text is then found', async () => {
    const first = await until(
      () => visit('/latest'),
      ({ status }) => status === 200,
    );
    expect(first).toMatchObject({ type: 'text/plain;charset=UTF-8', cookies: 0, consoleErrors: [] });
    expect(JSON.parse(first.body ?? '')).toMatchObject({ url: stage.page('/latest') });
    // The baseline is in: the next visitor gets the empty answer, of which the browser complains no more.
    const second = await until(
      () => visit('/latest'),
      ({ status }) => status === 204,
    );
    expect(second).toMatchObject({ body: undefined, consoleErrors: [] });

    stage.web.publish('Otters return', 'Two otters were seen below the weir.');
    // Asked again when the last confirmation is no longer new enough.
    await until(
      () => visit('/latest'),
      ({ status }) => status === 200,
    );
    await until(
      () => stage.update('--once'),
      ({ fetched }) => fetched > 0,
    );
    expect((await stage.search('otters')).hits.map(({ url }) => url)).toEqual([stage.page('/latest')]);
  }, 180_000);
});

interface Visit {
  readonly status: number;
  readonly body: string | undefined;
  readonly type: string | undefined;
  readonly cookies: number;
  readonly consoleErrors: readonly string[];
}
