import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { keyRulesOf, queueLimitsOf, requestProcessorOptionsOf } from '../../src/engine/options.ts';
import { ReportBuffer } from '../../src/modification-detection/queue/report-buffer.ts';
import { RequestProcessor } from '../../src/modification-detection/request-processor/request-processor.ts';

const MEGABYTE = 2 ** 20;

describe('the request processor under a flood', () => {
  it('a million distinct pages, visited and reported by as many visitors, take bounded memory', async () => {
    const limits = requestProcessorOptionsOf(DEFAULTS);
    // The clock stands still, so the site's limit would end the flood at once.
    const unlimited = { burst: Number.MAX_SAFE_INTEGER, perSecond: 0, maxKeys: 10 };
    const processor = new RequestProcessor(
      { ...limits, siteLimit: unlimited },
      {
        keyRules: keyRulesOf(DEFAULTS),
        newVisitorKey: () => new Uint8Array(32),
        standingOf: async () => ({ known: true, signalled: false, disputed: false, confirmedAt: undefined }),
        isBusy: () => false,
        now: () => 0,
      },
    );
    const site = { site: 'a.example/', url: 'https://a.example/', addedAt: 0, token: '', verifiedAt: undefined };
    processor.setSites([site]);
    const buffer = new ReportBuffer(queueLimitsOf(DEFAULTS));
    const hash = '0123456789abcdef'.repeat(2);
    const parts = { title: hash, text: hash, headings: hash, links: hash, images: hash, metadata: hash };

    const flood = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n++) {
        const referer = `https://a.example/${'section/'.repeat(10)}${n}`;
        const address = `${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}.1`;
        if (!processor.isPlainlyEmpty(referer)) await processor.wantsReport({ referer, address });
        const outcome = processor.accept(JSON.stringify({ url: referer, ...parts }), { origin: undefined, address });
        if (outcome.kind === 'accepted') buffer.put(outcome.report);
      }
    };
    await flood(0, 100_000);
    const before = heapUsed();
    await flood(100_000, 1_000_000);
    const grown = heapUsed() - before;
    console.log(`heap ${(before / MEGABYTE).toFixed(0)} MB, grown by ${(grown / MEGABYTE).toFixed(1)} MB`);
    expect(grown).toBeLessThan(16 * MEGABYTE);
    expect(processor.counters()).toMatchObject({ visits: 1_000_000, reports: 1_000_000 });
    expect(buffer.takeAll().length).toBe(DEFAULTS.beacon.maxQueuedPerSite);
  });
});

/** Bytes in use after everything that is not is gone. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
