import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodySink } from './body-sink.ts';

it('holds the same bytes as one long buffer cut at the limit', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.integer({ min: 0, max: 200_000 }).map((size) => new Uint8Array(size).fill(size % 251)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 0, max: 300_000 }), (pieces, limit) => {
      const sink = new BodySink(limit);
      const all = Buffer.concat(pieces);
      let taken = 0;
      for (const bytes of pieces) {
        taken += bytes.length;
        expect(sink.push(Buffer.from(bytes))).toBe(taken <= limit || bytes.length === 0);
      }
      expect(sink.length).toBe(Math.min(limit, all.length));
      expect(sink.take().equals(all.subarray(0, limit))).toBe(true);
    }),
  );
});
