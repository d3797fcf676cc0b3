import type { Mutant, Mutants } from './mutant.ts';

/** A mutant with its area. */
export interface AreaMutant extends Mutant {
  area: string;
}

const MAX_DAILY = 10;
const DAY_MILLISECONDS = 86_400_000;

/** Returns all mutants, in the order of their areas. */
export function allOf(mutants: Mutants): AreaMutant[] {
  return Object.entries(mutants).flatMap(([area, each]) => each.map((mutant) => ({ area, ...mutant })));
}

/** Returns the day of the year, counted from 1, of a time in UTC. */
export function dayOfYear(time: Date): number {
  const start = Date.UTC(time.getUTCFullYear(), 0, 1);
  return Math.floor((time.getTime() - start) / DAY_MILLISECONDS) + 1;
}

/**
 * Returns at most ten mutants for a day of the year. Successive days select every mutant in turn. The mutants of a day
 * are spread over all areas, because slow tests belong to the same areas.
 */
export function dailyOf(mutants: readonly AreaMutant[], day: number): AreaMutant[] {
  const days = Math.ceil(mutants.length / MAX_DAILY);
  return mutants.filter((_mutant, index) => index % days === day % days);
}

/** Returns the mutants whose area is one of the words, or whose name contains one of them. */
export function namedBy(mutants: readonly AreaMutant[], words: readonly string[]): AreaMutant[] {
  return mutants.filter(({ area, name }) => words.some((word) => area === word || name.includes(word)));
}
