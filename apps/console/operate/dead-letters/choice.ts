import { countText } from '../../shared/format.ts';
import type { Schemas } from '../api.ts';
import type { DeadLetterFilter } from '../route.ts';

/** The dead letters to retry or discard: either some by id, or all open ones that match a filter. */
export type Choice =
  | { kind: 'ids'; ids: readonly number[] }
  /** `count` is how many dead letters matched at the time of the last request. */
  | { kind: 'all'; filter: DeadLetterFilter; count: number };

/** The selected dead letters in words: the id if only one is selected, otherwise their number. */
export function namesOf(choice: Choice): string {
  if (choice.kind === 'all') {
    const many = `all ${countText(choice.count, 'open dead letter')} that match`;
    return choice.count === 1 ? 'the open dead letter that matches' : many;
  }
  return choice.ids.length === 1 ? `dead letter ${choice.ids[0]}` : countText(choice.ids.length, 'dead letter');
}

/** The text to type to confirm a discard: the only id in the choice, or else the number of dead letters. */
export function typedFor(choice: Choice): string {
  if (choice.kind === 'all') return String(choice.count);
  return String(choice.ids.length === 1 ? choice.ids[0] : choice.ids.length);
}

function leftText(left: number, action: string): string {
  return left > 0 ? ` ${countText(left, 'more dead letter matches', 'more dead letters match')}: ${action} again.` : '';
}

interface Retried {
  results: readonly { outcome: string; message: string | null }[];
  left: number;
}

/** The result of a retry as a sentence, with the reason if a single dead letter is refused. */
export function retriedText({ results, left }: Retried): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const words = [
    `${countText(results.length, 'dead letter')} retried`,
    `${count('stored')} stored`,
    `${count('duplicate')} already stored`,
    `${count('refused')} refused again`,
    `${count('not_open')} not open`,
  ];
  const reason = results.length === 1 && results[0]?.message ? ` ${results[0].message}` : '';
  return `${words.join(', ')}.${reason}${leftText(left, 'retry')}`;
}

/** The result of a discard as a sentence. */
export function discardedText({ discarded, not_open, left }: Schemas['DeadLettersDiscardAnswer']): string {
  const counts = `${countText(discarded.length, 'dead letter')} discarded, ${not_open.length} not open.`;
  return `${counts}${leftText(left, 'discard')}`;
}
