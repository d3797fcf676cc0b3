import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DRIVING_AREAS, type DrivingArea } from './figures.ts';
import { type DrivingTotals, gradeOf, roundToOneDecimal, scoreDriving, tripFocusArea } from './score-driving.ts';

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

const WEIGHTS = { phone: 35, speed: 30, brake: 20, acceleration: 10, night: 5 };

/** Returns each area's sub-score, by the formula in docs/score.md. */
function subScoresOf(totals: DrivingTotals): Record<DrivingArea, number> {
  const { distance_miles: miles, duration_seconds: seconds } = totals;
  const rate = (count: number) => (100 * count) / (miles + 10);
  const percentage = (part: number) => (100 * Math.min(part, seconds)) / (seconds + 1_200);
  const subScore = (exposure: number) => 100 * 2 ** -exposure;
  return {
    phone: subScore(percentage(totals.phone_use_time_seconds) / 4 + rate(totals.phone_use_count) / 100),
    speed: subScore(percentage(totals.overspeeding_time_seconds) / 8 + rate(totals.overspeeding_count) / 70),
    brake: subScore(rate(totals.hard_brake_count) / 13),
    acceleration: subScore(rate(totals.rapid_acceleration_count) / 15),
    night: subScore(percentage(totals.night_driving_seconds) / 50),
  };
}

it('scoreDriving follows the formula in docs/score.md', () => {
  fc.assert(
    fc.property(likelyTotals, (totals) => {
      const subScores = subScoresOf(totals);
      const lost = (area: DrivingArea) => WEIGHTS[area] * (1 - subScores[area] / 100);
      const { fm_score, fm_grade, focus, areas } = scoreDriving(totals);
      for (const area of DRIVING_AREAS) {
        expect(areas[area].sub_score).toBeCloseTo(subScores[area], 9);
        expect(areas[area].points_lost).toBeCloseTo(lost(area), 9);
      }
      expect(fm_score).toBe(roundToOneDecimal(DRIVING_AREAS.reduce((score, area) => score - lost(area), 100)));
      expect(fm_grade).toBe(gradeOf(fm_score));
      const together = lost('phone') + lost('speed') + lost('brake') + lost('acceleration');
      const isFocus = (area: DrivingArea, amount: number) =>
        amount > 0 && ((lost(area) >= 3 && lost(area) >= 0.3 * together) || subScores[area] < 60);
      const expected = {
        is_phone_use: isFocus('phone', totals.phone_use_count + totals.phone_use_time_seconds),
        is_overspeeding: isFocus('speed', totals.overspeeding_count + totals.overspeeding_time_seconds),
        is_hard_brake: isFocus('brake', totals.hard_brake_count),
        is_acceleration: isFocus('acceleration', totals.rapid_acceleration_count),
      };
      expect(focus).toEqual(expected);
      const { is_acceleration: is_rapid_acceleration, ...others } = expected;
      expect(tripFocusArea(totals)).toEqual({ ...others, is_rapid_acceleration });
    }),
    { numRuns: 2_000 },
  );
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

it('scoreDriving computes a share of the time even if an intermediate product exceeds the range of a double', () => {
  const amount = 1e308;
  const calm = { hard_brake_count: 0, rapid_acceleration_count: 0, overspeeding_count: 0, phone_use_count: 0 };
  const seconds = { overspeeding_time_seconds: 0, phone_use_time_seconds: 0, night_driving_seconds: amount };
  const { areas, fm_score } = scoreDriving({ ...calm, ...seconds, distance_miles: 0, duration_seconds: amount });
  expect(areas.night.sub_score).toBeCloseTo(25, 9);
  expect(fm_score).toBe(96.3);
});
