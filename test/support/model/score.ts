import type { EventSummary } from '@milepost/domain/vocabulary';

/** The input to a score: sums over a trip, a day or a week. */
interface ScoredTotals extends EventSummary {
  distance_miles: number;
  duration_seconds: number;
  night_driving_seconds: number;
}

/** Rounds half up. Only twelve digits count, because a sum of doubles can fall just short of a half. */
function toOneDecimal(value: number): number {
  return Math.floor(Number((value * 10).toPrecision(12)) + 0.5) / 10;
}

/** The score formula, line by line as in the documentation. */
function areasOf(totals: ScoredTotals) {
  const { distance_miles: D, duration_seconds: T, night_driving_seconds: N } = totals;
  const r = (c: number) => (100 * c) / (D + 10);
  const p = (s: number) => (100 * Math.min(s, T)) / (T + 1200);
  const area = (weight: number, x: number) => ({ score: 100 * 2 ** -x, lost: weight * (1 - 2 ** -x) });
  return {
    phone: area(35, p(totals.phone_use_time_seconds) / 4 + r(totals.phone_use_count) / 100),
    speed: area(30, p(totals.overspeeding_time_seconds) / 8 + r(totals.overspeeding_count) / 70),
    brake: area(20, r(totals.hard_brake_count) / 13),
    accel: area(10, r(totals.rapid_acceleration_count) / 15),
    night: area(5, p(N) / 50),
  };
}

/** The score and grade for these totals. */
export function scoreOf(totals: ScoredTotals): { fm_score: number; fm_grade: string } {
  const { phone, speed, brake, accel, night } = areasOf(totals);
  const fm_score = toOneDecimal(100 - (phone.lost + speed.lost + brake.lost + accel.lost + night.lost));
  if (fm_score >= 85) return { fm_score, fm_grade: 'excellent' };
  if (fm_score >= 70) return { fm_score, fm_grade: 'good' };
  return { fm_score, fm_grade: fm_score >= 50 ? 'fair' : 'poor' };
}

/** The focus areas for these totals. */
export function focusOf(totals: ScoredTotals): Record<'phone' | 'speed' | 'brake' | 'accel', boolean> {
  const { phone, speed, brake, accel } = areasOf(totals);
  const together = phone.lost + speed.lost + brake.lost + accel.lost;
  const flag = (evidence: boolean, { score, lost }: { score: number; lost: number }) =>
    evidence && ((lost >= 3 && lost >= 0.3 * together) || score < 60);
  return {
    phone: flag(totals.phone_use_count >= 1 || totals.phone_use_time_seconds > 0, phone),
    speed: flag(totals.overspeeding_count >= 1 || totals.overspeeding_time_seconds > 0, speed),
    brake: flag(totals.hard_brake_count >= 1, brake),
    accel: flag(totals.rapid_acceleration_count >= 1, accel),
  };
}
