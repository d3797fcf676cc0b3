import type { Pool, Statement } from '@milepost/postgres';
import type { Attempt, OperationResult } from './record.ts';

export interface Operation extends Attempt, OperationResult {
  id: number;
  at: Date;
}

export interface OperationFilter {
  /** At most so many. */
  limit: number;
  /** Only operations older than the one with this id. */
  before?: number | undefined;
}

const LIST_OPERATIONS: Statement = {
  name: 'list-operations',
  text: `SELECT operation_id AS id, at, actor, via, action, parameters, outcome, detail FROM access.operation
         WHERE operation_id < coalesce($1, 9223372036854775807) ORDER BY operation_id DESC LIMIT $2`,
};

/** The audit trail, newest first. `pool` acts in the operator's role. */
export async function listOperations(pool: Pool, { limit, before }: OperationFilter): Promise<Operation[]> {
  const { rows } = await pool.query<Operation>({ ...LIST_OPERATIONS, values: [before ?? null, limit] });
  return rows;
}
