import { scoreDriving } from '@milepost/domain/score';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveEventSummary } from '../../../../packages/core/domain/records/parse.ts';
import { anyEventSummary } from '../../../../test/support/arbitrary-records.ts';
import { anyAmount, anyCount } from '../../../../test/support/console/arbitrary-values.ts';
import { explain } from './explain.ts';

const seconds = fc.double({ min: 0, max: 20_000, noNaN: true });
const driving = fc.record({
  distance_miles: fc.double({ min: 0, max: 500, noNaN: true }),
  duration_seconds: seconds,
  night_driving_seconds: seconds,
  events_summary: anyEventSummary(fc.nat({ max: 60 }), seconds),
});
const NO_EVENTS = deriveEventSummary([]);
const SHORT = { distance_miles: 10, duration_seconds: 600, night_driving_seconds: 0 };
const rest = {
  fm_grade: 'good' as const,
  trip_count: 1,
  highway_miles: 0,
  focus_area: { is_phone_use: false, is_overspeeding: false, is_hard_brake: false, is_acceleration: false },
};

type Driving = Omit<Parameters<typeof explain>[0], keyof typeof rest | 'fm_score'>;

/** Explains the score that the service computes. */
function explained({ events_summary, ...totals }: Driving) {
  const { fm_score } = scoreDriving({ ...totals, ...events_summary });
  const explanation = explain({ ...rest, ...totals, events_summary, fm_score });
  if (explanation === null) throw new Error('explain returned null.');
  return { ...explanation, fm_score };
}

it("the explanation adds up to the service's score, to the hundredth", () => {
  fc.assert(
    fc.property(driving, (totals) => {
      const { losses, rounding, isSame, fm_score } = explained(totals);
      const lost = losses.reduce((sum, { points_lost }) => sum + points_lost, 0);
      expect(100 - lost + rounding).toBeCloseTo(fm_score, 9);
      expect(Math.abs(rounding)).toBeLessThan(0.085);
      expect(losses.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      for (const { points_lost, weight, sub_score } of losses) {
        expect(points_lost).toBeCloseTo(weight * (1 - sub_score / 100), 1);
      }
      expect(isSame).toBe(true);
    }),
  );
});

it('explain returns finite numbers for every score', () => {
  const any = fc.record({
    distance_miles: anyAmount,
    duration_seconds: anyAmount,
    night_driving_seconds: anyAmount,
    events_summary: anyEventSummary(anyCount, anyAmount),
  });
  fc.assert(
    fc.property(any, (totals) => {
      const { losses, isSame } = explained(totals);
      for (const { points_lost, sub_score } of losses) {
        expect([points_lost, sub_score]).toSatisfy((numbers: number[]) => numbers.every(Number.isFinite));
      }
      expect(isSame).toBe(true);
    }),
  );
});

it('explain detects a score that the formula does not produce', () => {
  const calm = { ...rest, ...SHORT, events_summary: NO_EVENTS };
  expect(explain({ ...calm, fm_score: 90 })?.isSame).toBe(false);
  expect(explain({ ...calm, fm_score: null })).toBeNull();
});

it("explain names each behaviour with its maximum, in the formula's order", () => {
  const events_summary = { ...NO_EVENTS, phone_use_count: 2, phone_use_time_seconds: 90 };
  const { losses } = explained({ ...SHORT, events_summary });
  expect(losses.map(({ area, title, weight }) => [area, title, weight])).toEqual([
    ['phone', 'Phone use', 35],
    ['speed', 'Overspeeding', 30],
    ['brake', 'Hard braking', 20],
    ['acceleration', 'Rapid acceleration', 10],
    ['night', 'Night driving', 5],
  ]);
  expect(losses.map(({ points_lost }) => points_lost > 0)).toEqual([true, false, false, false, false]);
});
