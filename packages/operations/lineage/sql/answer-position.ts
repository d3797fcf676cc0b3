import type { Statement, Transaction } from '@milepost/postgres';

const ANSWER_POSITION: Statement = {
  name: 'lineage-answer-position',
  text: 'SELECT coalesce(min(checkpoint), 0) AS position FROM projection.generation WHERE live',
};

/** The position that answers reflect: what is stored after it shows in none of them yet. */
export async function readAnswerPosition(transaction: Transaction): Promise<number> {
  const [row] = await transaction.rows<{ position: number }>(ANSWER_POSITION);
  return row?.position ?? 0;
}
