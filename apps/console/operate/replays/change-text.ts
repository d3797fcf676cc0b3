import { decimal } from '../../shared/format.ts';
import type { ScoreChanges } from '../api.ts';

/** A score's change with its sign, such as `+1.5`, `−1.5` or `0.0`. */
export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${decimal(Math.abs(value))}`;
}

/** The changes that one bucket of the distribution covers, such as `−5 to −10` or `+20 or more`. */
export function bucketText({
  direction,
  at_least,
  below,
}: Pick<ScoreChanges['distribution'][number], 'direction' | 'at_least' | 'below'>): string {
  const sign = direction === 'fall' ? '−' : '+';
  if (below === null) return `${sign}${at_least} or more`;
  return `${sign}${at_least} to ${sign}${below}`;
}
