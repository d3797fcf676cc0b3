import { hash } from 'node:crypto';
import type { Mutant } from './mutant.ts';

const MAX_DAILY = 10;

/**
 * Returns at most ten mutants for a day (counted from any date), so that successive days select every mutant in turn. A
 * day's mutants are spread over all areas, because slow tests cluster in a few areas.
 */
export function dailyOf(mutants: readonly Mutant[], day: number): Mutant[] {
  const days = Math.ceil(mutants.length / MAX_DAILY);
  return mutants.filter((_mutant, index) => index % days === day % days);
}

/** Returns the mutants whose area is one of the words or whose name contains one of the words. */
export function namedBy(mutants: readonly Mutant[], words: readonly string[]): Mutant[] {
  return mutants.filter(({ area, name }) => words.some((word) => area === word || name.includes(word)));
}

/** Returns `count` mutants in random order. The same seed always gives the same mutants. */
export function randomOf(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rank = ({ name }: Mutant) => hash('md5', `${seed} ${name}`);
  return mutants.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, count);
}
