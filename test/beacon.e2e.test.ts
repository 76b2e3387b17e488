import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEACON_SCRIPT } from '../src/engine/beacon-script.ts';
import { type BeaconStage, NEWS, reportOf, startBeaconStage, until } from './support/beacon-stage.ts';

describe('the beacon, from a report to the index', () => {
  let stage: BeaconStage;
  beforeAll(async () => {
    stage = await startBeaconStage();
  });
  afterAll(() => stage.stop());

  const visit = (path: string): Promise<Response> =>
    fetch(`${stage.server.url}/beacon.js`, { headers: { referer: stage.page(path) } });
  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${stage.server.url}/beacon`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: stage.page(''), ...headers },
    });
  /** The site was registered a moment ago. */
  const registered = (): Promise<Response> =>
    until(
      () => visit('/latest'),
      ({ status }) => status === 200,
    );

  it('gives the script to visitors of registered pages, and an empty answer to all others', async () => {
    const script = await registered();
    expect(await script.text()).toBe(BEACON_SCRIPT);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    for (const referer of [undefined, 'https://elsewhere.example/', stage.page('/never-crawled'), 'nonsense']) {
      const empty = await fetch(`${stage.server.url}/beacon.js`, { headers: referer === undefined ? {} : { referer } });
      expect(empty.status).toBe(204);
      expect(await empty.text()).toBe('');
      expect(empty.headers.get('vary')).toContain('Referer');
      expect(empty.headers.get('cache-control')).toBe('private, max-age=60');
      // Browsers refuse an empty script without a script's media type when nosniff is set.
      expect(empty.headers.get('content-type')).toContain('text/javascript');
    }
  });

  it('J1: reads JSON whatever the media type says', async () => {
    for (const type of ['text/plain;charset=UTF-8', 'application/json', 'application/x-www-form-urlencoded', 'x/y']) {
      expect((await post(reportOf(stage.page('/nowhere'), 'x'), { 'content-type': type })).status).toBe(204);
      expect((await post('{not json', { 'content-type': type })).status).toBe(400);
    }
  });

  it('J2: echoes the origin, never *, and answers preflights', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const answer = await fetch(`${stage.server.url}/beacon`, {
        method,
        headers: { origin: stage.page(''), 'access-control-request-method': 'POST' },
        ...(method === 'POST' ? { body: reportOf(stage.page('/nowhere'), 'x') } : {}),
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(stage.page(''));
      expect(answer.headers.get('vary')).toContain('Origin');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  it('J4: every answer to a report is empty', async () => {
    for (const body of [reportOf(stage.page('/nowhere'), 'x'), 'not json', 'x'.repeat(5_000)])
      expect(await (await post(body)).text()).toBe('');
  });

  it('J5: refuses bodies over 4 KB', async () => {
    expect((await post('x'.repeat(4_097))).status).toBe(413);
    expect((await post('x'.repeat(70_000))).status).toBe(413);
  });

  /** Until the server has a baseline: of a page confirmed a moment ago nothing is asked. */
  const confirm = async (path: string, text: string): Promise<void> => {
    await post(reportOf(stage.page(path), text));
    await until(
      () => visit(path),
      ({ status }) => status === 204,
    );
  };

  it('crawls a page again when its visitors see something else, and no other page', async () => {
    await registered();
    await confirm('/latest', 'calm water');
    stage.web.publish('Walrus on the slipway', 'A walrus was seen asleep beside the harbour crane at dawn.');
    await post(reportOf(stage.page('/latest'), 'walrus'));
    await post(reportOf('http://elsewhere.example/', 'forged'));
    expect((await stage.search('walrus')).total).toBe(0);
    const before = new Map(stage.web.requests);
    const report = await until(
      () => stage.update('--once'),
      ({ fetched }) => fetched > 0,
    );
    expect(report).toMatchObject({ fetched: 1, kept: 1, stopped: 'frontier-empty' });
    expect((await stage.search('walrus')).hits.map(({ url }) => url)).toEqual([stage.page('/latest')]);
    const asked = [...stage.web.requests].filter(([host, n]) => n !== (before.get(host) ?? 0));
    expect(asked).toEqual([[NEWS, (before.get(NEWS) ?? 0) + 1]]);
    // Answered: a second run finds nothing to do.
    expect(await stage.update('--once')).toMatchObject({ fetched: 0, stopped: 'frontier-empty' });
  }, 120_000);

  it('keeps what was reported when the server is killed, but for the last second', async () => {
    await confirm('/', 'front page');
    await post(reportOf(stage.page('/'), 'another front page'));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await stage.server.kill('SIGKILL');
    expect(await stage.update('--once')).toMatchObject({ fetched: 1, unchanged: 1 });
    await stage.startServer('--update');
  }, 120_000);

  it('serve --update crawls by itself what visitors report', async () => {
    await until(
      () => visit('/latest'),
      ({ status }) => status === 200,
    );
    await confirm('/latest', 'walrus');
    stage.web.publish('Narwhal in the bay', 'A narwhal followed the morning ferry into the bay.');
    await post(reportOf(stage.page('/latest'), 'narwhal'));
    const found = await until(
      () => stage.search('narwhal'),
      ({ total }) => total > 0,
    );
    expect(found.hits[0]).toMatchObject({ url: stage.page('/latest') });
  }, 120_000);
});
