import { decimal, durationText, NONE } from '../shared/format.ts';
import type { Schemas } from './api.ts';

/** An integer with commas as thousands separators; a dash for null. */
export function integerText(value: number | null): string {
  return value === null ? NONE : decimal(value, 0);
}

/** A duration, with one decimal place below ten seconds. */
export function secondsText(seconds: number): string {
  return seconds < 10 ? `${decimal(seconds)} s` : durationText(seconds);
}

/** The place of a record in its source, such as `milepost.trips/0 at 1,200`. */
export function originText({ topic, partition, offset }: { topic: string; partition: number; offset: number }): string {
  return `${topic}/${partition} at ${integerText(offset)}`;
}

/** A value from the API in words, such as `catching up` for `catching_up`. */
export function wordsOf(value: string): string {
  return value.replaceAll('_', ' ');
}

/** The stored events that precede and follow a stored event among its trip's revisions, such as `, supersedes 12`. */
export function chainText(event: { supersedes: number | null; superseded_by: number | null }): string {
  const earlier = event.supersedes === null ? '' : `, supersedes ${integerText(event.supersedes)}`;
  const later = event.superseded_by === null ? '' : `, superseded by ${integerText(event.superseded_by)}`;
  return earlier + later;
}

/** A range of changes to scores, such as `−5 to −10` or `+20 or more`. */
export function bucketText(bucket: Omit<Schemas['ScoreChanges']['distribution'][number], 'count'>): string {
  const sign = bucket.direction === 'fall' ? '−' : '+';
  const beginning = `${sign}${bucket.at_least}`;
  return bucket.below === null ? `${beginning} or more` : `${beginning} to ${sign}${bucket.below}`;
}
