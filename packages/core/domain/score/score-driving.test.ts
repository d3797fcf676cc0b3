import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DRIVING_AREAS, WEIGHTS } from './figures.ts';
import { type DrivingTotals, scoreDriving, tripFocusArea } from './score-driving.ts';

const NO_DRIVING: DrivingTotals = {
  distance_miles: 0,
  duration_seconds: 0,
  night_driving_seconds: 0,
  hard_brake_count: 0,
  rapid_acceleration_count: 0,
  overspeeding_count: 0,
  phone_use_count: 0,
  overspeeding_time_seconds: 0,
  phone_use_time_seconds: 0,
};

const totalsOf = (amount: fc.Arbitrary<number>, count: fc.Arbitrary<number>): fc.Arbitrary<DrivingTotals> =>
  fc.record({
    distance_miles: amount,
    duration_seconds: amount,
    night_driving_seconds: amount,
    hard_brake_count: count,
    rapid_acceleration_count: count,
    overspeeding_count: count,
    phone_use_count: count,
    overspeeding_time_seconds: amount,
    phone_use_time_seconds: amount,
  });
const likelyTotals = fc.oneof(
  totalsOf(fc.double({ min: 0, max: 20_000, noNaN: true }), fc.nat({ max: 200 })),
  // The driving is calm, so that the focus flags depend on shares of the lost points, not on sub-scores near zero.
  totalsOf(fc.constantFrom(0, 10, 60, 120, 300), fc.nat({ max: 4 })),
);
const extremeTotals = totalsOf(
  fc.oneof(fc.double({ min: 0, max: 1e308, noNaN: true }), fc.constantFrom(0, Number.MIN_VALUE, 1e308, Infinity)),
  fc.oneof(fc.nat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER, 1e308)),
);

const MIXED = {
  rapid_acceleration_count: 5,
  phone_use_count: 60,
  duration_seconds: 3000,
  phone_use_time_seconds: 2000,
};
const EVERY_FLAG = ['is_acceleration', 'is_hard_brake', 'is_overspeeding', 'is_phone_use'];

it.each([
  [[10, 1800, 1800, 1, 1, 1, 1, 0, 0], 87.8, 'excellent', ['is_hard_brake']],
  [[52.1, 2259, 0, 1, 3, 0, 6, 492, 0], 64.1, 'fair', ['is_phone_use']],
  [[0.5, 120, 0, 1, 0, 0, 0, 0, 0], 92.0, 'excellent', ['is_hard_brake']],
  [[300, 20000, 0, 1, 0, 0, 0, 0, 0], 99.7, 'excellent', []],
  [[60, 3600, 0, 1, 0, 10, 0, 0, 1080], 72.2, 'good', ['is_overspeeding']],
  [[60, 5400, 2000, 25, 15, 20, 25, 1500, 2700], 11.2, 'poor', EVERY_FLAG],
  [[60, 7200, 7200, 0, 0, 0, 0, 0, 0], 96.5, 'excellent', []],
] as const)('D, T, N, HB, RA, OS, PU, PUs, OSs = %j give the score %d, %s, %j', (figures, ...expected) => {
  const [miles, seconds, night, brakes, accelerations, overspeedings, phone, phoneSeconds, speedSeconds] = figures;
  const { fm_score, fm_grade, focus } = scoreDriving({
    distance_miles: miles,
    duration_seconds: seconds,
    night_driving_seconds: night,
    hard_brake_count: brakes,
    rapid_acceleration_count: accelerations,
    overspeeding_count: overspeedings,
    phone_use_count: phone,
    phone_use_time_seconds: phoneSeconds,
    overspeeding_time_seconds: speedSeconds,
  });
  expect([fm_score, fm_grade, flagged(focus)]).toEqual(expected);
});

it('scoreDriving returns the full score for driving without trip events', () => {
  expect(scoreDriving(NO_DRIVING).fm_score).toBe(100);
  expect(scoreDriving({ ...NO_DRIVING, distance_miles: 1e308, duration_seconds: 1e308 }).fm_score).toBe(100);
});

// Computed by hand. The formula adds 10 miles and 1200 seconds, so 90 miles count as 100 and 10800 s as 12000. Each
// row then has the rate that halves its area's sub-score.
it.each([
  ['phone', 82.5, { distance_miles: 90, phone_use_count: 100 }],
  ['phone', 82.5, { duration_seconds: 10_800, phone_use_time_seconds: 480 }],
  ['speed', 85, { distance_miles: 90, overspeeding_count: 70 }],
  ['speed', 85, { duration_seconds: 10_800, overspeeding_time_seconds: 960 }],
  ['brake', 90, { distance_miles: 90, hard_brake_count: 13 }],
  ['acceleration', 95, { distance_miles: 90, rapid_acceleration_count: 15 }],
  ['night', 97.5, { duration_seconds: 10_800, night_driving_seconds: 6_000 }],
] as const)('scoreDriving halves the sub-score of %s and returns the score %d for %o', (halved, score, figures) => {
  const { fm_score, areas } = scoreDriving({ ...NO_DRIVING, ...figures });
  expect(fm_score).toBe(score);
  for (const area of DRIVING_AREAS) expect(areas[area].sub_score).toBeCloseTo(area === halved ? 50 : 100, 9);
});

it('scoreDriving returns 100 minus the points lost, and no area loses more points than its weight', () => {
  fc.assert(
    fc.property(likelyTotals, (totals) => {
      const { fm_score, areas } = scoreDriving(totals);
      const lost = DRIVING_AREAS.map((area) => areas[area].points_lost);
      expect(Math.abs(100 - lost.reduce((sum, points) => sum + points, 0) - fm_score)).toBeLessThanOrEqual(0.0500001);
      for (const area of DRIVING_AREAS) expect(areas[area].points_lost).toBeLessThanOrEqual(WEIGHTS[area]);
    }),
  );
  expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
});

it('scoreDriving returns a number from 0 to 100 with one decimal for any sums', () => {
  fc.assert(
    fc.property(extremeTotals, (totals) => {
      const { fm_score, areas } = scoreDriving(totals);
      expect(fm_score).toBeGreaterThanOrEqual(0);
      expect(fm_score).toBeLessThanOrEqual(100);
      expect(Number(fm_score.toFixed(1))).toBe(fm_score);
      for (const { sub_score, points_lost } of Object.values(areas)) {
        expect(Number.isFinite(sub_score) && Number.isFinite(points_lost)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

it.each(['night_driving_seconds', 'phone_use_time_seconds', 'overspeeding_time_seconds'] as const)(
  'scoreDriving counts %s as at most the whole duration',
  (field) => {
    const whole = { ...NO_DRIVING, duration_seconds: 1_000, [field]: 1_000 };
    expect(scoreDriving({ ...whole, [field]: 5_000 })).toEqual(scoreDriving(whole));
    expect(scoreDriving({ ...whole, [field]: 100 }).fm_score).toBeGreaterThan(scoreDriving(whole).fm_score);
  },
);

it('scoreDriving computes a share of the time even if an intermediate product exceeds the range of a double', () => {
  const night = { ...NO_DRIVING, duration_seconds: 1e308, night_driving_seconds: 1e308 };
  expect(scoreDriving(night).areas.night.sub_score).toBeCloseTo(25, 9);
  expect(scoreDriving(night).fm_score).toBe(96.3);
});

it.each([
  'night_driving_seconds',
  'hard_brake_count',
  'rapid_acceleration_count',
  'overspeeding_count',
  'phone_use_count',
  'overspeeding_time_seconds',
  'phone_use_time_seconds',
] as const)('scoreDriving never returns a higher score for more %s', (field) => {
  fc.assert(
    fc.property(likelyTotals, fc.nat({ max: 1000 }), (totals, more) => {
      const worse = { ...totals, [field]: totals[field] + more };
      expect(scoreDriving(worse).fm_score).toBeLessThanOrEqual(scoreDriving(totals).fm_score);
    }),
  );
});

it('scoreDriving returns a strictly lower score, before rounding, with every additional trip event', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), fc.double({ min: 0, max: 1000, noNaN: true }), (count, distance_miles) => {
      const lost = (hard_brake_count: number) =>
        scoreDriving({ ...NO_DRIVING, distance_miles, hard_brake_count }).areas.brake.points_lost;
      const [now, next] = [lost(count), lost(count + 1)];
      expect(next).toBeGreaterThanOrEqual(now);
      // The area loses at most 20 points. Near this limit, the increase may be too small to show in a double.
      if (now < 19.99) expect(next).toBeGreaterThan(now);
    }),
  );
});

it('scoreDriving never returns a lower score for more miles with the same trip events', () => {
  fc.assert(
    fc.property(likelyTotals, fc.nat({ max: 1000 }), (totals, more) => {
      const longer = { ...totals, distance_miles: totals.distance_miles + more };
      expect(scoreDriving(longer).fm_score).toBeGreaterThanOrEqual(scoreDriving(totals).fm_score);
    }),
  );
});

it('focus areas include no area without trip events', () => {
  fc.assert(
    fc.property(likelyTotals, (totals) => {
      const none = { hard_brake_count: 0, phone_use_count: 0, phone_use_time_seconds: 0 };
      expect(scoreDriving({ ...totals, ...none }).focus).toMatchObject({ is_hard_brake: false, is_phone_use: false });
    }),
  );
});

it.each([
  ['loses 3.0 points', 22.8, { hard_brake_count: 1 }, ['is_hard_brake']],
  ['loses fewer than 3.0 points', 22.82, { hard_brake_count: 1 }, []],
  ['loses 30% of the points', 5, { hard_brake_count: 1, phone_use_count: 11 }, ['is_hard_brake', 'is_phone_use']],
  ['loses less than 30% of the points', 6, { hard_brake_count: 1, phone_use_count: 11 }, ['is_phone_use']],
  ['has a sub-score below 60', 35, MIXED, ['is_acceleration', 'is_phone_use']],
  ['has a sub-score above 60', 36, MIXED, ['is_phone_use']],
] as const)(
  'focus areas are the expected ones when an area %s, with %d miles and %o',
  (_where, distance_miles, figures, focus) => {
    expect(flagged(scoreDriving({ ...NO_DRIVING, distance_miles, ...figures }).focus)).toEqual(focus);
  },
);

it('focus areas include an area with seconds but without a count', () => {
  const seconds = { duration_seconds: 3600, phone_use_time_seconds: 1800, overspeeding_time_seconds: 3600 };
  expect(flagged(scoreDriving({ ...NO_DRIVING, ...seconds }).focus)).toEqual(['is_overspeeding', 'is_phone_use']);
});

it('focus areas are computed in the same way for a trip, and have the field names of the trip detail', () => {
  fc.assert(
    fc.property(likelyTotals, (totals) => {
      const { focus } = scoreDriving(totals);
      expect(tripFocusArea(totals)).toEqual({
        is_phone_use: focus.is_phone_use,
        is_rapid_acceleration: focus.is_acceleration,
        is_hard_brake: focus.is_hard_brake,
        is_overspeeding: focus.is_overspeeding,
      });
    }),
  );
});

function flagged(focus: object): string[] {
  const flags = Object.entries(focus).filter(([, flag]) => flag);
  return flags.map(([name]) => name).sort();
}
