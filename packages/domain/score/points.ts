import type { DrivingTotals } from './driving-totals.ts';
import { exposures } from './exposure.ts';
import { DRIVING_AREAS, type DrivingArea, FULL_SCORE, WEIGHTS } from './figures.ts';

/** `sub_score` 0..100, halved by each unit of exposure; `points_lost` of the full score, at most the area's weight. */
export interface AreaPoints {
  sub_score: number;
  points_lost: number;
}

/** What each area scores by itself and what it costs the whole. */
export function areaPoints(totals: DrivingTotals): Record<DrivingArea, AreaPoints> {
  const exposure = exposures(totals);
  const points = (area: DrivingArea): AreaPoints => {
    const remaining = 2 ** -exposure[area];
    return { sub_score: 100 * remaining, points_lost: WEIGHTS[area] * (1 - remaining) };
  };
  return {
    phone: points('phone'),
    speed: points('speed'),
    brake: points('brake'),
    acceleration: points('acceleration'),
    night: points('night'),
  };
}

/** The score before rounding: the full score less the points lost in every area. */
export function unroundedScore(points: Record<DrivingArea, AreaPoints>): number {
  return FULL_SCORE - DRIVING_AREAS.reduce((sum, area) => sum + points[area].points_lost, 0);
}
