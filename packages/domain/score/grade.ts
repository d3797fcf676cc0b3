import { EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from './figures.ts';

export type Grade = 'excellent' | 'good' | 'fair' | 'poor';

/** The grade of a score that is already rounded to one decimal. */
export function gradeOf(roundedScore: number): Grade {
  if (roundedScore >= EXCELLENT_FROM) return 'excellent';
  if (roundedScore >= GOOD_FROM) return 'good';
  if (roundedScore >= FAIR_FROM) return 'fair';
  return 'poor';
}
