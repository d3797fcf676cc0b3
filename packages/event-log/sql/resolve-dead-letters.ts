import type { Statement, Transaction } from '@milepost/postgres';

/** A dead letter settled by storing its record, or by finding it stored. */
export interface Resolution {
  id: number;
  resolution: 'retried' | 'duplicate';
}

/** The sources' counts move with it, so that they go on adding up. */
const RESOLVE_DEAD_LETTERS: Statement = {
  name: 'resolve-dead-letters',
  text: `WITH resolved AS (
           UPDATE log.dead_letter letter SET resolution = settled.resolution, resolved_at = now()
           FROM unnest($1::bigint[], $2::text[]) AS settled (dead_letter_id, resolution)
           WHERE letter.dead_letter_id = settled.dead_letter_id
           RETURNING letter.source_id, letter.resolution),
         counted AS (
           SELECT source_id, count(*) AS settled, count(*) FILTER (WHERE resolution = 'retried') AS stored
           FROM resolved GROUP BY source_id)
         UPDATE log.source SET records_dead_letter = records_dead_letter - settled,
           records_stored = records_stored + stored, records_duplicate = records_duplicate + settled - stored
         FROM counted WHERE log.source.source_id = counted.source_id`,
};

/** Marks dead letters as settled; their rows and bytes stay. */
export async function resolveDeadLetters(transaction: Transaction, resolutions: readonly Resolution[]): Promise<void> {
  if (resolutions.length === 0) return;
  await transaction.execute(RESOLVE_DEAD_LETTERS, [
    resolutions.map(({ id }) => id),
    resolutions.map(({ resolution }) => resolution),
  ]);
}
