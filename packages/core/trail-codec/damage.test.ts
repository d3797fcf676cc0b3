import type { TrailPoint } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from '../../../test/support/arbitrary-path.ts';
import { isRefused, undetectedBits, withFlippedBits } from '../../../test/support/damage.ts';
import { sampleTrack, sampleTrail, TRACK_KINDS } from '../../../test/support/sample-tracks.ts';
import { DamagedBytesError } from './read/bit-reader.ts';
import { trailPathToJson } from './read/json.ts';
import { BitWriter, withChecksum } from './write/bit-writer.ts';
import { encodeTrailPath } from './write/path.ts';

const CHECKSUM_BYTES = 4;

const compact = encodeTrailPath(sampleTrail({ seed: 5, points: 300 }));
/** Encoded paths with each kind of number. */
const paths: [string, Uint8Array][] = [
  ['empty', encodeTrailPath([])],
  ['compact', compact],
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

/** Returns the bytes of a path that has two points and this content. */
function pathOf(parts: readonly Part[], format = 1): Uint8Array {
  const writer = new BitWriter();
  for (const part of [bits(format, 8), number(2), ...parts]) part(writer);
  return withChecksum(writer.finish());
}

/** The header of a column of order 1 that has sparse residuals and no decimals. */
const sparseColumn = bits(0b1_0_0_0000, 4 + 3);
/** A column of zeros with one decimal. */
const oneDecimalColumn = [bits(0b1_0_0_0001, 4 + 3), number(0), number(0), number(0)];
/** The whole numbers 1 and 0, with sparse residuals. */
const integers = [bits(0, 2), bits(1, 1), number(2), number(0), number(1), number(1), number(1)];
const zeros = (bytes: number) => Array.from({ length: bytes }, () => bits(0, 8));
/** The header of a column of doubles that are close to a scale's values. */
const approximations = (family: number, exponent: number) => [
  ...[bits(10, 4), bits(family, 2), bits(exponent + 2048, 12), bits(0, 1), bits(0, 4)],
];
const runs = [bits(11, 4), bits(0, 1)];
/** One run, whose length is half of `doubled`. */
const oneRun = (doubled: number) => [
  ...[...runs, number(1), bits(0, 2), bits(1, 1)],
  ...[number(doubled), number(0), number(0)],
];
/** A double whose highest 16 bits are `highest` and whose other bits are zero. */
const double = (highest: number) => [bits(0, 16), bits(0, 16), bits(0, 16), bits(highest, 16)];

function expectRefused(bytes: Uint8Array): void {
  if (!isRefused(bytes, trailPathToJson)) {
    throw new Error(`The path ${Buffer.from(bytes).toString('hex')} was decoded.`);
  }
}

/** Checks that decoding either throws the error, or returns valid points. */
function expectRefusedOrValid(content: Uint8Array): void {
  let points: TrailPoint[];
  try {
    points = JSON.parse(trailPathToJson(withChecksum(content)));
  } catch (error) {
    if (!(error instanceof DamagedBytesError)) throw error;
    return;
  }
  expect(points.length).toBeLessThanOrEqual(50_000);
  expect(points.every((point) => Object.values(point).every(Number.isFinite))).toBe(true);
  expect(points.every((point) => Number.isSafeInteger(point.timestamp))).toBe(true);
}

describe('a damaged trail path', () => {
  it.each(paths)('is refused when any single bit is flipped: %s', (_kind, bytes) => {
    expect(bytes.byteLength).toBeGreaterThan(4);
    expect(undetectedBits(bytes, trailPathToJson)).toEqual([]);
  });

  it('is refused when any bits are flipped', () => {
    fc.assert(
      fc.property(anyPath, fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 8 }), (points, places) => {
        const bytes = encodeTrailPath(points);
        const positions = new Set(places.map((place) => place % (bytes.byteLength * 8)));
        expectRefused(withFlippedBits(bytes, [...positions]));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(paths)('is refused when bytes are missing or added: %s', (_kind, bytes) => {
    for (let length = 0; length < bytes.length; length++) expectRefused(bytes.subarray(0, length));
    expectRefused(Uint8Array.of(...bytes, 0));
    expectRefused(Uint8Array.of(0, ...bytes));
  });
});

describe('impossible content with a matching checksum', () => {
  it('is refused when it is truncated', () => {
    for (const [, bytes] of paths) {
      const content = bytes.subarray(0, -CHECKSUM_BYTES);
      for (let length = 0; length < content.length; length++) expectRefused(withChecksum(content.subarray(0, length)));
      expectRefused(withChecksum(Uint8Array.of(...content, 0)));
    }
  });

  it('is refused when its format is unknown', () => {
    expect(() => trailPathToJson(pathOf([], 2))).toThrow('The format of a trail path is 2, but only 1 is known.');
  });

  it('is refused for too many points before memory is allocated', () => {
    const writer = new BitWriter();
    for (const part of [bits(1, 8), number(50_001), ...zeros(8)]) part(writer);
    expect(() => trailPathToJson(withChecksum(writer.finish()))).toThrow('has 50001 points, more than 50000');
    expectRefused(withChecksum(Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff, 0xff)));
  });

  it.each([
    ['beyond 2^52', [sparseColumn, number(2 ** 53 - 2), number(2 ** 53 - 2), number(0)]],
    ['cannot have 2 residuals', [sparseColumn, number(0), number(0), number(2)]],
    ['after the last of 2 numbers', [sparseColumn, number(0), number(0), number(1), number(2), number(0)]],
    ['Rice parameter 25', [bits(0, 4 + 3), number(0), number(0), bits(25, 5)]],
    ['Rice parameter 54', [bits(0, 4 + 3), number(0), number(0), bits(31, 5), bits(54, 6)]],
    ['has 54 bits, more than 53', [sparseColumn, bits(54, 6)]],
    ['column form 12 is unknown', [bits(12, 4)]],
    ['not a whole number of milliseconds', Array.from({ length: 4 }, () => oneDecimalColumn).flat()],
    ['run has the length 0', [...runs, number(2), ...integers, bits(0, 4)]],
    ['runs add up to 1, but there are 2 values', oneRun(2)],
    ['runs add up to 3, but there are 2 values', oneRun(6)],
    ['cannot have 3 runs', [...runs, number(3)]],
    ['runs add up to 0, but there are 2 values', [bits(11, 4), bits(1, 1)]],
    ['column form 11 is unknown', [...oneRun(4), bits(11, 4)]],
    ['exponent 16', approximations(0, 16)],
    ['exponent -1', approximations(1, -1)],
    ['cannot have 3 exceptions', [...approximations(0, 6), number(3)]],
    ['exception has an impossible index', [...approximations(0, 6), number(2), number(1), bits(1, 1), number(0)]],
    ['exception has an impossible index', [...approximations(0, 6), number(1), number(3)]],
    ['The number Infinity is not finite', [bits(15, 4), ...double(0x7ff0)]],
    ['The number -Infinity is not finite', [bits(15, 4), ...double(0xfff0)]],
    ['The number NaN is not finite', [...approximations(0, 6), number(1), number(1), bits(0, 1), ...double(0x7ff8)]],
    [
      'not finite',
      [
        ...approximations(3, -2000),
        ...[number(0), ...zeros(8), bits(0, 2), bits(1, 1)],
        ...[number(2), number(0), number(0), bits(1, 1), number(0)],
      ],
    ],
  ])('is refused with the reason: %s', (message, parts) => {
    expect(() => trailPathToJson(pathOf(parts))).toThrow(message);
  });

  it('is refused or decoded to a valid path when any path is damaged, or when the bytes are random', () => {
    const encoded = fc.oneof(anyPath.map(encodeTrailPath), fc.constantFrom(...paths.map(([, bytes]) => bytes)));
    fc.assert(
      fc.property(encoded, fc.array(fc.nat(), { maxLength: 8 }), (bytes, places) => {
        const content = bytes.subarray(0, -CHECKSUM_BYTES);
        const positions = places.map((place) => place % (content.length * 8));
        expectRefusedOrValid(withFlippedBits(content, positions));
      }),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectRefusedOrValid(Uint8Array.of(1, ...bytes))),
      { numRuns: 2000 },
    );
  });
});
