import { createHash } from 'node:crypto';
import type { TrailPoint } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyPath } from '../../../test/support/arbitrary-path.ts';
import { sampleTrack, sampleTrail, TRACK_KINDS } from '../../../test/support/sample-tracks.ts';
import { trailPathToJson } from './read/json.ts';
import { encodeTrailPath } from './write/path.ts';

const MAX_POINTS = 50_000;

/**
 * The maximum number of bytes per point. Zstd alone needs more bytes for these tracks, and so does delta encoding with
 * or without zstd.
 */
const MAX_TRACKS: Record<string, number> = {
  synthetic: 3.8,
  'research drives, 6 decimals': 3.3,
  'phone, course as full double': 9,
  'taxi app': 11.8,
  'tracker with 15 digits': 8.8,
  'tracker, degrees from minutes': 3.7,
  'phone, 10 Hz with repeated fixes': 1.65,
  'CAN bus': 5,
  'single precision': 5.2,
};

/** Returns a point at rest with the given fields. */
function point(given: Partial<TrailPoint>): TrailPoint {
  return { timestamp: 1_750_000_000_000, latitude: 37.774929, longitude: -122.419416, course: 12.3, ...given };
}

function expectLossless(points: TrailPoint[]): void {
  const json = trailPathToJson(encodeTrailPath(points));
  expect(json.replaceAll(/-0(?=[,}])/g, '0')).toBe(JSON.stringify(points));
  // toStrictEqual compares numbers with Object.is, which distinguishes 0 and -0.
  expect(JSON.parse(json)).toStrictEqual(points);
}

it('a trail path is decoded bit for bit, whatever its numbers', () => {
  fc.assert(fc.property(anyPath, expectLossless), { numRuns: 2000 });
});

it('a trail path is decoded bit for bit at the prime meridian, where doubles have the most decimals', () => {
  const fraction = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
  const path = fc
    .array(fraction, { minLength: 1, maxLength: 40 })
    .map((fractions) =>
      fractions.map((each, index) =>
        point({ timestamp: 1_750_000_000_000 + index * 1_000, longitude: each / 1e15 + 0, course: each / 1e14 + 0 }),
      ),
    );
  fc.assert(fc.property(path, expectLossless), { numRuns: 300 });
});

it('a trail path of a standard trip takes at most 1,250 bytes', () => {
  for (let seed = 0; seed < 100; seed++) {
    expect(encodeTrailPath(sampleTrail({ seed, points: 300 })).length).toBeLessThanOrEqual(1250);
  }
});

it('a trail path can be empty, have one point, or have the maximum number of points, but no more', () => {
  expectLossless([]);
  expectLossless([point({})]);
  expectLossless(sampleTrail({ seed: 1, points: MAX_POINTS }));
  expectLossless(Array.from({ length: MAX_POINTS }, () => point({ course: Math.PI })));
  const tooMany = Array.from({ length: MAX_POINTS + 1 }, () => point({}));
  expect(() => encodeTrailPath(tooMany)).toThrow(RangeError);
});

it.each([-0, 1e-300, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 52, 12.3456789012, -1, 0])(
  'a trail path is decoded with the number %d among usual and unusual ones',
  (course) => {
    expectLossless([point({}), point({ course }), point({})]);
    expectLossless([point({ course })]);
    expectLossless([point({ timestamp: -0, course }), point({ latitude: course })]);
    const points = sampleTrack('phone, course as full double', 3, 100);
    expectLossless([...points, point({ course }), ...points, point({ course }), point({ course })]);
  },
);

it.each(TRACK_KINDS)('a trail path is decoded from few bytes in the form that real devices send: %s', (kind) => {
  let bytes = 0;
  for (let seed = 0; seed < 20; seed++) {
    const points = sampleTrack(kind, seed, 600);
    expectLossless(points);
    expectLossless(points.slice(0, seed));
    bytes += encodeTrailPath(points).length;
  }
  expect(bytes / 20 / 600).toBeLessThanOrEqual(MAX_TRACKS[kind] ?? 0);
});

it('a trail path of equal whole numbers needs fewer bytes than a path of changing numbers', () => {
  const moving = sampleTrail({ seed: 6, points: 100 });
  const standing = moving.flatMap((one) => Array.from({ length: 10 }, () => one));
  const bytes = encodeTrailPath(standing);
  expect(bytes.length).toBeLessThan(encodeTrailPath(moving).length + 40);
  expectLossless(standing);
});

it('a trail path needs no more bytes for a turn across North than for any other turn', () => {
  const turning = (from: number) =>
    Array.from({ length: 64 }, (_, index) => point({ course: (from + (index % 2) * 3) % 360 }));
  expect(encodeTrailPath(turning(358)).length).toBeLessThanOrEqual(encodeTrailPath(turning(100)).length + 1);
});

it('a trail path has bytes that depend only on its numbers, not on earlier calls', () => {
  fc.assert(
    fc.property(anyPath, anyPath, (points, other) => {
      const bytes = encodeTrailPath(points);
      encodeTrailPath(other);
      expect(encodeTrailPath(structuredClone(points))).toStrictEqual(bytes);
    }),
    { numRuns: 200 },
  );
});

it('a trail path is decoded from part of a larger buffer, as database drivers return it', () => {
  const points = sampleTrail({ seed: 3, points: 50 });
  const bytes = encodeTrailPath(points);
  const larger = Buffer.alloc(bytes.length + 100, 0xff);
  larger.set(bytes, 37);
  expect(JSON.parse(trailPathToJson(larger.subarray(37, 37 + bytes.length)))).toStrictEqual(points);
});

it('a trail path is decoded when it turns by nearly half a circle at each of 50,000 points, with nine decimals', () => {
  for (const step of [179_999_999_999, 180_000_000_001]) {
    const course = (index: number) => ((index * step) % 360_000_000_000) / 1e9;
    expectLossless(Array.from({ length: MAX_POINTS }, (_, index) => point({ course: course(index) })));
  }
});

it('a trail path is decoded when it keeps turning with fifteen digits, so that full turns cannot be counted', () => {
  for (const step of [179_999_999_999_999n, 180_000_000_000_001n, 40_000_000_000_001n]) {
    const course = (index: number) => Number((BigInt(index) * step) % 360_000_000_000_000n) / 1e12;
    expectLossless(Array.from({ length: 2_000 }, (_, index) => point({ course: course(index) })));
  }
});

it('a trail path is decoded when the differences between its runs are too large for whole numbers', () => {
  const far = (sign: number) =>
    Array.from({ length: 4 }, () => point({ latitude: sign * (2 ** 52 - 1), longitude: sign }));
  const points = Array.from({ length: 40 }, (_, index) => far(index % 2 === 0 ? 1 : -1)).flat();
  expectLossless(points);
  expectLossless(points.map((one) => ({ ...one, longitude: one.latitude, course: one.longitude })));
});

it('a trail path is decoded when two numbers on a fine scale are too far apart for a whole number', () => {
  // Every sixteenth number determines the scale. The step from one far number to the next exceeds 2^52 units of this
  // scale.
  const points = Array.from({ length: 256 }, (_, index) => point({ longitude: 0.1234567891 + index * 1e-10 }));
  for (const [index, sign] of [1, -1].entries()) points[100 + index] = point({ longitude: sign * 440_000.5 });
  expectLossless(points);
  expectLossless(points.map((one) => ({ ...one, latitude: one.longitude, course: one.longitude })));
});

it.each([999, 1000, -999, -1000, 214.7483647, 214.7483648, -214.7483648, 1e-6, 1e-7, 999.999999999])(
  'a trail path has the number %d in JSON, at the borders of the numbers that are written digit by digit',
  (number) => {
    const timestamps = [1e12 - 1, 1e12, 1e13 - 1, 1e13];
    for (const timestamp of timestamps) expectLossless([point({ timestamp, latitude: number, course: number })]);
    expectLossless([point({ latitude: number }), point({ latitude: 0.000_000_1 }), point({ latitude: 1 })]);
  },
);

it('a trail path has room in JSON for the longest numbers at each of its points', () => {
  const longest = -2.2250738585072014e-308;
  const longestPoint = point({ latitude: longest, longitude: longest, course: longest, timestamp: -(2 ** 53 - 1) });
  expectLossless(Array.from({ length: 3_000 }, () => longestPoint));
});

it('a trail path has the same bytes in every release, because the log stores them permanently', () => {
  const whole = [
    point({}),
    point({ timestamp: 1_750_000_003_000, latitude: 37.775249, course: 359.9 }),
    point({ timestamp: 1_750_000_006_000, latitude: 37.775601, longitude: -122.4195, course: 1.2 }),
  ];
  const doubles = whole.map((one) => ({ ...one, course: one.course + 1e-13 }));
  const repeated = Array.from({ length: 64 }, (_, index) => {
    const place = Math.floor(index / 4);
    return point({ latitude: 37 + place * 1e-6, longitude: Math.fround(-122.4 - place / 3) });
  });
  const hex = (points: TrailPoint[]) => Buffer.from(encodeTrailPath(points)).toString('hex');
  expect([whole, doubles, repeated].map(hex)).toMatchInlineSnapshot(`
    [
      "01c24015003708dde506ee02864d941990401290c00cdc6bfca50326c03384d803c77b0d3abe9640",
      "01c24015003708dde506ee02864d941990401290c00cdc6bfca50326c0f3a533333333335180d0ccccccccfcec80ea6966666666e67f00806be65a",
      "010710a802e006a1bb0c00ab802410008c1ba0491a0581ad472000000000403333dd820144555501e79cf34018b107001115baed",
    ]
  `);
});

it('a trail path has the same bytes in every release for each kind of device, length and repetition', () => {
  const digestOf = (kind: string) => {
    const digest = createHash('sha256');
    for (let seed = 0; seed < 8; seed++) {
      const track = sampleTrack(kind, seed, 300);
      const repeated = track.flatMap((one, index) => Array.from({ length: 1 + ((index + seed) % 5) }, () => one));
      for (let length = 1; length <= 80; length += 1 + seed) digest.update(encodeTrailPath(track.slice(0, length)));
      for (const length of [48, 64, 65, 129, 700]) digest.update(encodeTrailPath(repeated.slice(0, length)));
      digest.update(encodeTrailPath(track));
    }
    return digest.digest('hex').slice(0, 16);
  };
  expect(Object.fromEntries(TRACK_KINDS.map((kind) => [kind, digestOf(kind)]))).toMatchInlineSnapshot(`
    {
      "CAN bus": "3df55a98fc3b158d",
      "phone, 10 Hz with repeated fixes": "909ac863b19c491a",
      "phone, course as full double": "2820ea97ad89908d",
      "research drives, 6 decimals": "8641247d462f128f",
      "single precision": "46350d6772be7751",
      "synthetic": "4cc935a892f84ee6",
      "taxi app": "d1ede1d16cfbac24",
      "tracker with 15 digits": "7cafa0aabc067290",
      "tracker, degrees from minutes": "4b721e0439a6f869",
    }
  `);
});
