import { columns, date, nullable, number, type RowOf, statement, type Transaction, text } from '@milepost/postgres';

/** A live generation, with the first stored event that has not been applied to it. */
export type AuditedGeneration = RowOf<typeof AUDITED_GENERATIONS>;

const AUDITED_GENERATIONS = statement('audited-generations', {
  projection: text,
  ...columns(number, 'generation', 'version', 'checkpoint'),
  cutoff: nullable(date),
  failure: nullable(text),
  ...columns(nullable(number), 'failed_position', 'next_position'),
  /** How long the next stored event has been waiting. */
  waiting_seconds: nullable(number),
})`
  SELECT projection, generation, version, checkpoint, cutoff, failed_position, failure, next.position AS next_position,
    extract(epoch FROM now() - next.stored_at)::float8 AS waiting_seconds
  FROM generation LEFT JOIN LATERAL (
    SELECT position, stored_at FROM stored_event WHERE position > checkpoint ORDER BY position LIMIT 1) next ON true
  WHERE live AND projection = ANY ($1) ORDER BY projection`;

/** Reads the live generations of the named projections. */
export async function readAuditedGenerations(
  transaction: Transaction,
  projections: readonly string[],
): Promise<AuditedGeneration[]> {
  return await transaction.rows(AUDITED_GENERATIONS, [projections]);
}
