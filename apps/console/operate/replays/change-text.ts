import type { ScoreChanges } from '../api.ts';

/** A part of the distribution of changed scores. */
export type Bucket = ScoreChanges['distribution'][number];

/** The range of change sizes in a part of the distribution, such as `−5 to −10` or `+20 or more`. */
export function bucketText({ direction, at_least, below }: Omit<Bucket, 'count'>): string {
  const sign = direction === 'fall' ? '−' : '+';
  if (below === null) return `${sign}${at_least} or more`;
  return `${sign}${at_least} to ${sign}${below}`;
}
