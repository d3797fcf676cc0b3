import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from './arbitrary-path.ts';
import { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';
import { decodeTrailPath, encodeTrailPath, trailPathToJson } from './index.ts';
import { sampleTrack, TRACK_KINDS } from './sample-tracks.ts';
import { sampleTrail } from './sample-trail.ts';

const compact = encodeTrailPath(sampleTrail({ seed: 5, points: 300 }));
/** A path as it was encoded before version 3. */
const fallback = Buffer.from(
  '02c24015003708dde506ee02864d941990401290c00cdc6bfca50326c0f3a533333333335180d0ccccccccfcec80ea6966666666e67f00',
  'hex',
);
/** Paths of all versions, and of each kind of numbers. */
const paths: [string, Uint8Array][] = [
  ['compact', compact],
  ['fallback', fallback],
  ...TRACK_KINDS.map((kind): [string, Uint8Array] => [kind, encodeTrailPath(sampleTrack(kind, 5, 60))]),
];

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

/** Two whole numbers, the first 1 and the second 0, whose residuals are sparse. */
const integers = [bits(0, 2), bits(1, 1), number(2), number(0), number(1), number(1), number(1)];
const zeros = (bytes: number) => Array.from({ length: bytes }, () => bits(0, 8));
/** The head of a column of doubles near the numbers of a scale. */
const approximated = (family: number, exponent: number) => [
  ...[bits(10, 4), bits(family, 2), bits(exponent + 2048, 12), bits(0, 1), bits(0, 4)],
];

/** Whatever the bytes: either the named error, or points that a path can have and the JSON text of just these. */
function expectNoHarm(bytes: Uint8Array): void {
  try {
    const points = decodeTrailPath(bytes);
    expect(points.length).toBeLessThanOrEqual(50_000);
    expect(points.every((point) => Object.values(point).every(Number.isFinite))).toBe(true);
    expect(points.every((point) => Number.isSafeInteger(point.timestamp))).toBe(true);
    expect(JSON.parse(trailPathToJson(bytes))).toStrictEqual(points);
  } catch (error) {
    if (!(error instanceof TrailPathDamagedError)) throw error;
    expect(() => trailPathToJson(bytes)).toThrow(TrailPathDamagedError);
  }
}

describe('damaged bytes', () => {
  it.each(paths)('cut short anywhere are refused, %s form', (_form, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTrailPath(bytes.subarray(0, length))).toThrow(TrailPathDamagedError);
      expect(() => trailPathToJson(bytes.subarray(0, length))).toThrow(TrailPathDamagedError);
    }
  });

  it('with anything behind the end are refused', () => {
    for (const [, bytes] of paths) {
      expect(() => decodeTrailPath(Uint8Array.from([...bytes, 0]))).toThrow(TrailPathDamagedError);
    }
  });

  it('with a bit behind the last one are refused', () => {
    for (let seed = 0; seed < 50; seed++) {
      const points = sampleTrail({ seed, points: 20 });
      const bytes = encodeTrailPath(points);
      const changed = flipped(bytes, [bytes.length * 8 - 1]);
      // Where a path fills its last byte, the bit is one of its own, and another path comes of it.
      expect(() => expect(decodeTrailPath(changed)).toEqual(points)).toThrow();
    }
  });

  it('of an unknown version are refused', () => {
    expect(() => decodeTrailPath(Uint8Array.of(4, 0, 0))).toThrow('begins with byte 1, 2 or 3, not 4');
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
    ['Rice parameter 31', [bits(0, 4 + 3), number(0), number(0), bits(31, 5)]],
    ['form 10, which version 1', [bits(10, 4)]],
    ['form 11, which version 1', [bits(11, 4)]],
    ['form 12, which version 1', [bits(12, 4)]],
    ['not a whole number of milliseconds', Array.from({ length: 4 }, () => oneDecimalColumn).flat()],
  ])('that say something impossible are refused: %s', (message, parts) => {
    const writer = new BitWriter();
    for (const part of [bits(1, 8), number(2), ...parts]) part(writer);
    expect(() => decodeTrailPath(writer.finish())).toThrow(message);
  });

  it.each([
    ['a run has the length 0', [bits(11, 4), bits(0, 1), number(2), ...integers, bits(0, 4)]],
    [
      'Runs of 2 values make 1',
      [bits(11, 4), bits(0, 1), number(1), bits(0, 2), bits(1, 1), number(2), number(0), number(0)],
    ],
    ['cannot have 3 runs', [bits(11, 4), bits(0, 1), number(3)]],
    ['Runs of 2 values make 0', [bits(11, 4), bits(1, 1)]],
    [
      'form 11, which',
      [bits(11, 4), bits(0, 1), number(1), bits(0, 2), bits(1, 1), number(4), number(0), number(0), bits(11, 4)],
    ],
    ['exponent 16', [...approximated(0, 16)]],
    ['exponent -1', [...approximated(1, -1)]],
    ['cannot have 3 exceptions', [...approximated(0, 6), number(3)]],
    ['behind another', [...approximated(0, 6), number(2), number(1), bits(1, 1), number(0)]],
    ['behind another', [...approximated(0, 6), number(1), number(3)]],
    [
      'not finite',
      [
        ...approximated(3, -2000),
        number(0),
        ...zeros(8),
        bits(0, 2),
        bits(1, 1),
        number(2),
        number(0),
        number(0),
        bits(1, 1),
        number(0),
      ],
    ],
  ])('of version 3 that say something impossible are refused: %s', (message, parts) => {
    const writer = new BitWriter();
    for (const part of [bits(3, 8), number(2), ...parts]) part(writer);
    expect(() => decodeTrailPath(writer.finish())).toThrow(new RegExp(message, 'i'));
  });

  it('whose version does not fit their columns are refused', () => {
    expect(() => decodeTrailPath(Uint8Array.of(2, ...compact.subarray(1)))).toThrow(
      'version 2 has columns of version 1',
    );
    expect(() => decodeTrailPath(Uint8Array.of(1, ...fallback.subarray(1)))).toThrow(
      'version 1 has columns of version 2',
    );
    expect(() => decodeTrailPath(Uint8Array.of(3, ...compact.subarray(1)))).toThrow(
      'version 3 has columns of version 1',
    );
  });

  it('with each single bit of the header or any random ones flipped do no harm', () => {
    for (const [, original] of paths) {
      for (let bit = 0; bit < 200; bit++) expectNoHarm(flipped(original, [bit]));
      const bits = fc.array(fc.nat(original.length * 8 - 1), { minLength: 1, maxLength: 8 });
      fc.assert(
        fc.property(bits, (positions) => expectNoHarm(flipped(original, positions))),
        { numRuns: 500 },
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
      fc.property(fc.constantFrom(1, 2, 3), fc.uint8Array({ maxLength: 300 }), (version, bytes) =>
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
