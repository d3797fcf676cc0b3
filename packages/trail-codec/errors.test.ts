import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from './arbitrary-path.ts';
import { BitWriter } from './bit-writer.ts';
import { decodeTrailPath, encodeTrailPath, TrailPathDamagedError, trailPathToJson } from './index.ts';
import { sampleTrail } from './sample-trail.ts';

const compact = encodeTrailPath(sampleTrail({ seed: 5, points: 300 }));
const fallback = encodeTrailPath(sampleTrail({ seed: 5, points: 40 }).map((one) => ({ ...one, course: Math.sqrt(2) })));

type Part = (writer: BitWriter) => void;
const bits =
  (value: number, width: number): Part =>
  (writer) =>
    writer.write(value, width);
const number =
  (value: number): Part =>
  (writer) =>
    writer.writeNumber(value);
/** The head of a column without decimals, of order 1, whose residuals are sparse. */
const sparseColumn = bits(0b1_0_0_0000, 4 + 3);
/** A column of zeros with one decimal. */
const oneDecimalColumn = [bits(0b1_0_0_0001, 4 + 3), number(0), number(0), number(0)];

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

  it.each([
    ['beyond 2^52', [sparseColumn, number(2 ** 53 - 2), number(2 ** 53 - 2), number(0)]],
    ['cannot have 2 irregular steps', [sparseColumn, number(0), number(0), number(2)]],
    ['behind the last of 2 points', [sparseColumn, number(0), number(0), number(1), number(2), number(0)]],
    ['Rice parameter 25', [bits(0, 4 + 3), number(0), number(0), bits(25, 5)]],
    ['54 bits is wider', [sparseColumn, bits(54, 6)]],
    ['has 10 decimals', [bits(10, 4)]],
    ['not a whole number of milliseconds', Array.from({ length: 4 }, () => oneDecimalColumn).flat()],
  ])('that say something impossible are refused: %s', (message, parts) => {
    const writer = new BitWriter();
    for (const part of [bits(1, 8), number(2), ...parts]) part(writer);
    expect(() => decodeTrailPath(writer.finish())).toThrow(message);
  });

  it('whose version does not fit their columns are refused', () => {
    expect(() => decodeTrailPath(Uint8Array.of(2, ...compact.subarray(1)))).toThrow('version 2 has no raw column');
    expect(() => decodeTrailPath(Uint8Array.of(1, ...fallback.subarray(1)))).toThrow('version 1 has a raw column');
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
        expectNoHarm(
          flipped(
            bytes,
            positions.map((position) => position % (bytes.length * 8)),
          ),
        );
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
