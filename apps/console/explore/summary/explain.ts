import { scoreDriving } from '@milepost/domain/score';
import { DRIVING_AREAS, type DrivingArea, WEIGHTS } from '@milepost/domain/score-figures';
import type { Summary } from '../api.ts';

const TITLES: Readonly<Record<DrivingArea, string>> = {
  phone: 'Phone use',
  speed: 'Overspeeding',
  brake: 'Hard braking',
  acceleration: 'Rapid acceleration',
  night: 'Night driving',
};

function hundredths(value: number): number {
  return Math.round(value * 100);
}

/** Computes the points lost to each behaviour with the service's formula; null if there is no score. */
export function explain(summary: Summary) {
  const { fm_score, distance_miles, duration_seconds, night_driving_seconds, events_summary } = summary;
  if (fm_score === null) return null;
  const scored = scoreDriving({ distance_miles, duration_seconds, night_driving_seconds, ...events_summary });
  const losses = DRIVING_AREAS.map((area) => {
    const { points_lost, sub_score } = scored.areas[area];
    return { area, title: TITLES[area], weight: WEIGHTS[area], points_lost: hundredths(points_lost) / 100, sub_score };
  });
  const lost = losses.reduce((sum, { points_lost }) => sum + hundredths(points_lost), 0);
  return {
    losses,
    /** The difference between the score and 100 minus all losses, rounded to two decimal places. */
    rounding: (hundredths(fm_score) - (10_000 - lost)) / 100,
    /** Whether the formula gives the same score as the service. */
    isSame: scored.fm_score === fm_score,
  };
}

export type Explanation = NonNullable<ReturnType<typeof explain>>;
/** The points lost to a behaviour (at most `weight`), rounded to two decimal places. `sub_score` is from 0 to 100. */
export type Loss = Explanation['losses'][number];
