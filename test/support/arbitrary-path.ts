/** Paths for property tests, ranging from realistic paths to paths of arbitrary finite numbers. */

import type { TrailPoint } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { sampleTrack, TRACK_KINDS } from './sample-tracks.ts';

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, 1e-300, 5e-324, 1e300, 1e-7, 1e21, 2 ** 52, 2 ** 53 - 1, 0.1 + 0.2, 359.9, 359.99999999999994),
);

function decimalNumber(limit: number): fc.Arbitrary<number> {
  return fc
    .tuple(fc.integer({ min: 0, max: 10 }), fc.double({ min: -limit, max: limit, noNaN: true }))
    .map(([decimals, value]) => Math.round(value * 10 ** decimals) / 10 ** decimals);
}

function path(timestamp: fc.Arbitrary<number>, coordinate: fc.Arbitrary<number>, course: fc.Arbitrary<number>) {
  const point: fc.Arbitrary<TrailPoint> = fc.record(
    { timestamp, latitude: coordinate, longitude: coordinate, course },
    { noNullPrototype: true },
  );
  return fc.array(point, { maxLength: 200 });
}

function fixedDecimals(decimals: number, limit: number): fc.Arbitrary<number> {
  const scale = 10 ** decimals;
  return fc.integer({ min: -limit * scale, max: limit * scale }).map((integer) => (integer + 0) / scale + 0);
}

/** Paths like those from real devices, with each point repeated and a few numbers replaced by arbitrary numbers. */
const devicePath = fc
  .record({
    kind: fc.constantFrom(...TRACK_KINDS),
    seed: fc.nat(1000),
    points: fc.integer({ min: 1, max: 150 }),
    times: fc.constantFrom(1, 1, 4),
    odd: fc.array(fc.tuple(fc.nat(), anyNumber), { maxLength: 3 }),
  })
  .map(({ kind, seed, points, times, odd }) => {
    const path = sampleTrack(kind, seed, points).flatMap((point) =>
      Array.from({ length: times }, () => ({ ...point })),
    );
    for (const [place, number] of odd) {
      const point = path[place % path.length];
      const field = (['latitude', 'longitude', 'course'] as const)[place % 3];
      if (point !== undefined && field !== undefined) point[field] = number;
    }
    return path;
  });

export const anyPath: fc.Arbitrary<TrailPoint[]> = fc.oneof(
  devicePath,
  path(fc.maxSafeInteger(), anyNumber, anyNumber),
  path(fc.maxSafeInteger(), decimalNumber(1e7), decimalNumber(360)),
  path(fc.integer({ min: 1e12, max: 2e12 }), fixedDecimals(6, 180), fixedDecimals(1, 720)),
  path(fc.integer({ min: -1e13, max: 1e13 }), fixedDecimals(7, 180), fixedDecimals(0, 359)),
  path(fc.constant(1_750_000_000_000), fixedDecimals(9, 1), fc.constantFrom(0, 0.1, 359.9, 180)),
);
