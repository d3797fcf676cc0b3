import type { Pool, Statement } from '@milepost/postgres';
import { parametersJson } from './parameters-json.ts';

export type Via = 'http' | 'cli';
/** refused: the request was wrong, and nothing changed; failed: it broke on the way. */
export type Outcome = 'done' | 'refused' | 'failed';

/** What somebody sets out to do. */
export interface Attempt {
  /** A person or program, 1 to 128 characters. */
  actor: string;
  via: Via;
  /** What is asked for, such as `keys.create`. */
  action: string;
  /** What it was asked for with; never a secret. */
  parameters: object;
}

export interface OperationResult {
  outcome: Outcome;
  /** Why it was refused or failed, one sentence; of what was done, what came of it, where there is something to say. */
  detail: string | null;
}

const LONGEST_DETAIL = 1_000;

const RECORD_OPERATION: Statement = {
  name: 'record-operation',
  text: `INSERT INTO access.operation (actor, via, action, parameters, outcome, detail)
         VALUES ($1, $2, $3, $4::jsonb, $5, $6)`,
};

/**
 * Adds one operation to the audit trail. On its own, not in the transaction of the operation: what fails has to leave a
 * trace too. Parameters of more than 8 kB are kept as their beginning, under `truncated`.
 */
export async function recordOperation(
  pool: Pool,
  { actor, via, action, parameters }: Attempt,
  { outcome, detail }: OperationResult,
): Promise<void> {
  const said = detail?.replaceAll('\0', '').slice(0, LONGEST_DETAIL) ?? null;
  await pool.query({ ...RECORD_OPERATION, values: [actor, via, action, parametersJson(parameters), outcome, said] });
}
