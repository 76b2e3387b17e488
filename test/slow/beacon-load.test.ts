import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BeaconStage, reportOf, startBeaconStage, until } from '../support/beacon-stage.ts';

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
if (!hasWrk) console.warn('beacon under load: skipped, there is no wrk');

/** Figures are printed; what depends on the machine is not asserted. */
describe.skipIf(!hasWrk)('the request processor under load', () => {
  let stage: BeaconStage;
  beforeAll(async () => {
    stage = await startBeaconStage({ standingMs: 2_000 });
    const page = stage.page('/latest');
    const visit = (): Promise<Response> => fetch(`${stage.server.url}/beacon.js`, { headers: { referer: page } });
    await until(visit, ({ status }) => status === 200);
    await fetch(`${stage.server.url}/beacon`, { method: 'POST', body: reportOf(page, 'x') });
    await until(visit, ({ status }) => status === 204);
  }, 120_000);
  afterAll(() => stage?.stop());

  async function wrk(connections: number, seconds: number): Promise<string> {
    const { url } = stage.server;
    const limits = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '30s'];
    const child = spawn('wrk', [...limits, '-H', `Referer: ${stage.page('/latest')}`, `${url}/beacon.js`]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await new Promise((resolve) => child.once('close', resolve));
    return said;
  }

  /** Largest resident memory of the server so far, in MB. */
  const peakMegabytes = (): number => {
    const status = readFileSync(`/proc/${stage.server.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };

  function expectNoFailures(said: string): void {
    expect(said).toContain('Requests/sec');
    expect(said).not.toContain('Non-2xx');
    expect(said).not.toContain('Socket errors');
  }

  it('“new enough” answers, at least 5,000 a second with a p99 of 20 ms at most', async () => {
    const said = await wrk(16, 5);
    console.log(said);
    expectNoFailures(said);
  });

  it('unthrottled, with 512 connections: under 300 MB, and the search page answers', async () => {
    const times: number[] = [];
    const flood = wrk(512, 10);
    let isOver = false;
    const done = flood.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const before = performance.now();
      const answer = await fetch(`${stage.server.url}/?q=harbour`);
      expect(answer.status).toBe(200);
      await answer.text();
      times.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await done;
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
    console.log(await flood, `search page: ${times.length} answers, p95 ${p95.toFixed(0)} ms`);
    console.log(`server: ${peakMegabytes().toFixed(0)} MB at most`);
    expectNoFailures(await flood);
    expect(peakMegabytes()).toBeLessThan(300);
  });

  it('slow clients hold up nobody and are cut off', async () => {
    const { hostname, port } = new URL(stage.server.url);
    const sockets: Socket[] = [];
    let ended = 0;
    for (let i = 0; i < 500; i++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.once('close', () => ended++);
      socket.write(`POST /beacon HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n{"url":`);
      sockets.push(socket);
    }
    const answer = await fetch(`${stage.server.url}/?q=harbour`);
    expect(answer.status).toBe(200);
    await until(
      async () => ended,
      (n) => n === 500,
    );
    for (const socket of sockets) socket.destroy();
  }, 90_000);
});
