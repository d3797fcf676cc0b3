import type { Statement, Transaction } from '@milepost/postgres';

/** A live generation, and the first stored event that it does not show yet. */
export interface AuditedGeneration {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
  horizon: string | null;
  failed_position: number | null;
  failure: string | null;
  next_position: number | null;
  /** How long that stored event has been waiting. */
  waiting_seconds: number | null;
}

const AUDITED_GENERATIONS: Statement = {
  name: 'audited-generations',
  text: `SELECT projection, generation, version, checkpoint, horizon, failed_position, failure, next.position AS next_position,
           extract(epoch FROM now() - next.stored_at)::float8 AS waiting_seconds
         FROM projection.generation LEFT JOIN LATERAL (
           SELECT position, stored_at FROM log.stored_event WHERE position > checkpoint ORDER BY position LIMIT 1) next ON true
         WHERE live AND projection = ANY ($1) ORDER BY projection`,
};

/** The live generations of the projections named. */
export async function readAuditedGenerations(
  transaction: Transaction,
  projections: readonly string[],
): Promise<AuditedGeneration[]> {
  return await transaction.rows<AuditedGeneration>(AUDITED_GENERATIONS, [projections]);
}
