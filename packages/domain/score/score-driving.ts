import { type DrivingArea, EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from './figures.ts';
import { focusAreas, type SummaryFocusArea } from './focus.ts';
import { type AreaPoints, areaPoints, type DrivingTotals, unroundedScore } from './points.ts';

const NOISE_FREE_DIGITS = 12;

/**
 * Rounds to one decimal, halves away from zero. The value is first brought to twelve significant digits, since a sum
 * of doubles that is 73.75 on paper may come out as 73.74999999999999 and would then be rounded the wrong way. Exported for tests.
 */
export function roundToOneDecimal(value: number): number {
  const tenths = Number((Math.abs(value) * 10).toPrecision(NOISE_FREE_DIGITS));
  const rounded = Math.floor(tenths + 0.5) / 10;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}

type Grade = 'excellent' | 'good' | 'fair' | 'poor';

/** The grade of a score that is already rounded to one decimal. Exported for tests. */
export function gradeOf(roundedScore: number): Grade {
  if (roundedScore >= EXCELLENT_FROM) return 'excellent';
  if (roundedScore >= GOOD_FROM) return 'good';
  if (roundedScore >= FAIR_FROM) return 'fair';
  return 'poor';
}

/** `areas` explains the score: 100 less the points lost of all five areas is `fm_score` before rounding. */
interface DrivingScore {
  fm_score: number;
  fm_grade: Grade;
  focus: SummaryFocusArea;
  areas: Record<DrivingArea, AreaPoints>;
}

/**
 * Score (0..100, one decimal), grade and focus areas of summed driving; the rules and figures are those of
 * `figures.ts`. Finite for any input. Whether a day without trips has a score at all is the caller's question.
 */
export function scoreDriving(totals: DrivingTotals): DrivingScore {
  const areas = areaPoints(totals);
  const fm_score = roundToOneDecimal(unroundedScore(areas));
  return { fm_score, fm_grade: gradeOf(fm_score), focus: focusAreas(totals, areas), areas };
}
