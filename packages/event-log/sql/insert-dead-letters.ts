import type { Statement, Transaction } from '@milepost/postgres';
import type { Refusal } from '../prepare.ts';

export interface NewDeadLetter {
  sourceOffset: number;
  refusal: Refusal;
  raw: Uint8Array | null;
}

const INSERT_DEAD_LETTERS: Statement = {
  name: 'insert-dead-letters',
  text: `INSERT INTO log.dead_letter (received_at, source_id, source_offset, reason, field, message, raw)
         SELECT now(), $1, letter.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[]) AS letter`,
};

/** PostgreSQL's text holds neither NUL nor lone surrogates, and a message may quote either from the record. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000');
}

/** Keeps refused records byte for byte, each with its reason. */
export async function insertDeadLetters(
  transaction: Transaction,
  sourceId: number,
  letters: readonly NewDeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  await transaction.execute(INSERT_DEAD_LETTERS, [
    sourceId,
    letters.map((letter) => letter.sourceOffset),
    letters.map((letter) => letter.refusal.reason),
    letters.map((letter) => (letter.refusal.field === null ? null : storableText(letter.refusal.field))),
    letters.map((letter) => storableText(letter.refusal.message)),
    letters.map((letter) => (letter.raw === null ? null : Buffer.from(letter.raw))),
  ]);
}
