import type { DrivingTotals } from './driving-totals.ts';
import type { DrivingArea } from './figures.ts';
import { focusAreas, type SummaryFocusArea } from './focus.ts';
import { type Grade, gradeOf } from './grade.ts';
import { type AreaPoints, areaPoints, unroundedScore } from './points.ts';
import { roundToOneDecimal } from './rounding.ts';

/** `areas` explains the score: 100 less the points lost of all five areas is `fm_score` before rounding. */
export interface DrivingScore {
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
