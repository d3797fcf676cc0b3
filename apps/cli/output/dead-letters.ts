import type { DeadLetter } from '@milepost/operations/dead-letters';

/** The headings over `deadLetterCells`. */
export const DEAD_LETTER_HEADINGS: readonly string[] = [
  'id',
  'received',
  'source',
  'partition',
  'offset',
  'reason',
  'field',
  'resolution',
];

/** A dead letter as a row of a table, without its bytes. */
export function deadLetterCells(letter: DeadLetter): (string | number | null)[] {
  return [
    letter.id,
    letter.received_at.toISOString(),
    letter.topic,
    letter.partition,
    letter.offset,
    letter.reason,
    letter.field,
    letter.resolution,
  ];
}
