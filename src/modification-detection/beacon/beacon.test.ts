import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BEACON_SCRIPT, BEACON_SCRIPT_GZIP, beaconLines } from '../../engine/beacon-script.ts';
import { PAGE_PARTS } from '../../model/changes.ts';
import { beaconTag } from './beacon.ts';

interface Sent {
  readonly via: 'beacon' | 'fetch';
  readonly target: string;
  readonly body: string;
}

/** Runs the script over a page of which only what the script reads exists. `accepts`: what sendBeacon returns. */
function run(page: { readonly title: string; readonly text: string }, accepts: boolean, globals = {}): Sent[] {
  const sent: Sent[] = [];
  const element = { nodeType: 1, matches: () => false, textContent: page.text };
  const nodes = [element, { nodeType: 3, data: page.text }];
  const document = {
    currentScript: { src: 'https://search.example/winnow/beacon.js' },
    readyState: 'complete',
    title: page.title,
    body: element,
    querySelectorAll: (selector: string) => (selector === 'h1,h2,h3' ? [element] : []),
    createTreeWalker: () => {
      let at = 0;
      return { nextNode: () => nodes[at++] ?? null };
    },
  };
  const sendBeacon = (target: string, body: string): boolean => {
    sent.push({ via: 'beacon', target, body });
    return accepts;
  };
  runInNewContext(BEACON_SCRIPT, {
    ...globals,
    document,
    URL,
    navigator: { sendBeacon },
    window: {},
    location: { href: 'https://www.example/a?b=1#c' },
    setTimeout: (work: () => void) => work(),
    fetch: async (target: string, { body }: { body: string }) => void sent.push({ via: 'fetch', target, body }),
  });
  return sent;
}

const PAGE = { title: 'Tides', text: 'High water at noon.\n' };

describe('the beacon script', () => {
  it('is under 4 KB compressed', () => {
    expect(BEACON_SCRIPT_GZIP.byteLength).toBeLessThan(4096);
  });

  it('J1: sends a string, which browsers label text/plain, to the address beside its own', () => {
    const [sent] = run(PAGE, true);
    expect(sent).toMatchObject({ via: 'beacon', target: 'https://search.example/winnow/beacon' });
    const report: Record<string, string> = JSON.parse(sent?.body ?? '');
    expect(report['url']).toBe('https://www.example/a?b=1');
    for (const part of PAGE_PARTS) expect(report[part]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each(['Tides', 'Flut 🌊 満潮', 'a'.repeat(1_000), 'half \ud83c of a pair'])('hashes by MD5: %.30s', (title) => {
    const report: Record<string, string> = JSON.parse(run({ ...PAGE, title }, true)[0]?.body ?? '');
    expect(report['title']).toBe(createHash('md5').update(title.toWellFormed(), 'utf8').digest('hex'));
  });

  it('keeps its library from the module loader of a page', () => {
    const define = Object.assign(() => expect.unreachable(), { amd: {} });
    expect(run(PAGE, true, { define, module: { exports: {} } })).toHaveLength(1);
  });

  it('J5: sends hashes only, under 4 KB however long the page, and by fetch when sendBeacon will not', () => {
    const text = 'secret words '.repeat(10_000);
    const sent = run({ title: text, text }, false);
    expect(sent.map(({ via }) => via)).toEqual(['beacon', 'fetch']);
    for (const { body } of sent) {
      expect(body.length).toBeLessThan(4096);
      expect(body).not.toContain('secret');
    }
  });

  it('tells parts apart: another title changes the hash of the title alone; white space changes nothing', () => {
    const hashesOf = (page: typeof PAGE): Record<string, string> => JSON.parse(run(page, true)[0]?.body ?? '');
    const before = hashesOf(PAGE);
    const after = hashesOf({ ...PAGE, title: 'Tides today' });
    expect(PAGE_PARTS.filter((part) => before[part] !== after[part])).toEqual(['title']);
    expect(hashesOf({ ...PAGE, text: 'High  water\tat noon.' })['text']).toBe(before['text']);
    expect(hashesOf({ ...PAGE, text: 'High water at one.' })['text']).not.toBe(before['text']);
  });

  it('the line for site owners makes browsers name the page, not only its origin', () => {
    expect(beaconTag('https://search.example')).toBe(
      '<script async referrerpolicy="no-referrer-when-downgrade" src="https://search.example/beacon.js"></script>',
    );
  });

  it('the inline form is under 300 bytes, and the policy has the hash of its text', () => {
    const { inline, policy } = beaconLines('https://search.example.org/');
    expect(Buffer.byteLength(inline)).toBeLessThan(300);
    const text = /^<script>(.*)<\/script>$/.exec(inline)?.[1] ?? '';
    const hash = createHash('sha256').update(text).digest('base64');
    expect(policy).toBe(
      `script-src 'sha256-${hash}' https://search.example.org; connect-src https://search.example.org`,
    );
    expect(beaconLines("https://search.example.org/winnow'/").inline).toContain("/winnow%27/beacon.js'");
  });
});
