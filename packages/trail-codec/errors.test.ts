import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from './arbitrary-path.ts';
import { decodeTrailPath, encodeTrailPath, TrailPathDamagedError, trailPathToJson } from './index.ts';
import { sampleTrail } from './sample-trail.ts';

const compact = encodeTrailPath(sampleTrail({ seed: 5, points: 300 }));
const fallback = encodeTrailPath(sampleTrail({ seed: 5, points: 40 }).map((one) => ({ ...one, course: Math.sqrt(2) })));

/** Whatever the bytes: either the named error, or points that a path can have and the JSON text of just these. */
function expectNoHarm(bytes: Uint8Array): void {
  try {
    const points = decodeTrailPath(bytes);
    expect(points.length).toBeLessThanOrEqual(50_000);
    expect(points.every((point) => Object.values(point).every(Number.isFinite))).toBe(true);
    expect(points.every((point) => Number.isSafeInteger(point.timestamp))).toBe(true);
    expect(trailPathToJson(bytes)).toBe(JSON.stringify(points));
  } catch (error) {
    if (!(error instanceof TrailPathDamagedError)) throw error;
    expect(() => trailPathToJson(bytes)).toThrow(TrailPathDamagedError);
  }
}

describe('damaged bytes', () => {
  it.each([
    ['compact', compact],
    ['fallback', fallback],
  ])('cut short anywhere are refused, %s form', (_form, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTrailPath(bytes.subarray(0, length))).toThrow(TrailPathDamagedError);
      expect(() => trailPathToJson(bytes.subarray(0, length))).toThrow(TrailPathDamagedError);
    }
  });

  it('with anything behind the end are refused', () => {
    for (const bytes of [compact, fallback]) {
      expect(() => decodeTrailPath(Uint8Array.from([...bytes, 0]))).toThrow(TrailPathDamagedError);
    }
  });

  it('of an unknown version are refused', () => {
    expect(() => decodeTrailPath(Uint8Array.of(3, 0, 0))).toThrow('begins with byte 1 or 2, not 3');
  });

  it('that claim more points than a path can have are refused before anything is made', () => {
    for (const bytes of [Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff, 0xff), Uint8Array.of(1, 0x35, 0xff, 0xff, 0xff)]) {
      expect(() => decodeTrailPath(bytes)).toThrow(TrailPathDamagedError);
    }
  });

  it('with each single bit of the header or any random ones flipped do no harm', () => {
    for (const original of [compact, fallback]) {
      for (let bit = 0; bit < 200; bit++) expectNoHarm(flipped(original, [bit]));
      const bits = fc.array(fc.nat(original.length * 8 - 1), { minLength: 1, maxLength: 8 });
      fc.assert(
        fc.property(bits, (positions) => expectNoHarm(flipped(original, positions))),
        { numRuns: 1000 },
      );
    }
  });

  it('of a path of any numbers, damaged or random from the first byte on, do no harm', () => {
    fc.assert(
      fc.property(anyPath, fc.array(fc.nat(), { maxLength: 4 }), (points, positions) => {
        const bytes = encodeTrailPath(points);
        expectNoHarm(flipped(bytes, positions.map((position) => position % (bytes.length * 8))));
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 300 }), (version, bytes) =>
        expectNoHarm(Uint8Array.of(version, ...bytes)),
      ),
      { numRuns: 2000 },
    );
  });
});

function flipped(bytes: Uint8Array, positions: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  for (const position of positions) copy[position >>> 3] = (copy[position >>> 3] ?? 0) ^ (1 << (position & 7));
  return copy;
}
