import { packBytes, type Statement, type Transaction } from '@milepost/postgres';
import type { Refusal } from '../prepare.ts';

export interface NewDeadLetter {
  sourceId: number;
  sourceOffset: number;
  refusal: Refusal;
  raw: Uint8Array | null;
}

/**
 * The raw bytes travel as one binary value, as trails do: an array of bytea would double them as hex. What is about an
 * erased driver is settled as it comes: there is nothing left in it that anybody could mend.
 */
const INSERT_DEAD_LETTERS: Statement = {
  name: 'insert-dead-letters',
  text: `INSERT INTO log.dead_letter (received_at, source_id, source_offset, reason, field, message, raw,
           resolution, resolved_at, note)
         SELECT now(), source_id, source_offset, reason, field, message, substring($1::bytea FROM start FOR length),
           CASE WHEN reason = 'driver_erased' THEN 'discarded' END, CASE WHEN reason = 'driver_erased' THEN now() END,
           CASE WHEN reason = 'driver_erased' THEN 'Refused, as the driver was erased.' END
         FROM unnest($2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[])
           AS letter (source_id, source_offset, reason, field, message, start, length)`,
};

/** PostgreSQL's text holds neither NUL nor lone surrogates, and a message may quote either from the record. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000');
}

/** Keeps refused records byte for byte, each with its reason. */
export async function insertDeadLetters(transaction: Transaction, letters: readonly NewDeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  const { bytes, starts, lengths } = packBytes(letters.map((letter) => letter.raw));
  await transaction.execute(INSERT_DEAD_LETTERS, [
    bytes,
    letters.map((letter) => letter.sourceId),
    letters.map((letter) => letter.sourceOffset),
    letters.map((letter) => letter.refusal.reason),
    letters.map((letter) => (letter.refusal.field === null ? null : storableText(letter.refusal.field))),
    letters.map((letter) => storableText(letter.refusal.message)),
    starts,
    lengths,
  ]);
}
