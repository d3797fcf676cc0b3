import { type DrivingArea, EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from './figures.ts';
import { focusAreas, type SummaryFocusArea } from './focus.ts';
import { type AreaPoints, areaPoints, type DrivingTotals, unroundedScore } from './points.ts';

const SIGNIFICANT_DIGITS = 12;

/**
 * Rounds to one decimal place, with ties away from zero. The function first rounds to twelve significant digits,
 * because otherwise a sum of doubles such as 73.74999999999999, whose exact value is 73.75, would be rounded down.
 * Exported for tests.
 */
export function roundToOneDecimal(value: number): number {
  const tenths = Number((Math.abs(value) * 10).toPrecision(SIGNIFICANT_DIGITS));
  const rounded = Math.floor(tenths + 0.5) / 10;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}

type Grade = 'excellent' | 'good' | 'fair' | 'poor';

/** Returns the grade of a score that is already rounded to one decimal place. Exported for tests. */
export function gradeOf(roundedScore: number): Grade {
  if (roundedScore >= EXCELLENT_FROM) return 'excellent';
  if (roundedScore >= GOOD_FROM) return 'good';
  if (roundedScore >= FAIR_FROM) return 'fair';
  return 'poor';
}

/** `areas` explains the score, because `fm_score` before rounding is 100 minus the lost points of all areas. */
interface DrivingScore {
  fm_score: number;
  fm_grade: Grade;
  focus: SummaryFocusArea;
  areas: Record<DrivingArea, AreaPoints>;
}

/**
 * Computes the score (0 to 100, one decimal place), grade and focus areas from driving totals, by the rules in
 * `figures.ts`. The score is finite for any input. The caller decides whether a day without trips has a score.
 */
export function scoreDriving(totals: DrivingTotals): DrivingScore {
  const areas = areaPoints(totals);
  const fm_score = roundToOneDecimal(unroundedScore(areas));
  return { fm_score, fm_grade: gradeOf(fm_score), focus: focusAreas(totals, areas), areas };
}
