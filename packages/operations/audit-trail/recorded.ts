import type { Pool } from '@milepost/postgres';
import { REFUSALS, Refusal } from '../refusal.ts';
import { type Attempt, recordOperation } from './record.ts';

/**
 * Runs `work` and records what came of it: done when it resolves; refused or failed, with its message, when it throws,
 * which is passed on. Throws too when the record of what was done cannot be written, as nobody would ever learn of it.
 *
 * @param describe what came of it, a few words for the audit trail; never a secret
 */
export async function recorded<Result>(
  pool: Pool,
  attempt: Attempt,
  work: () => Promise<Result>,
  describe: (result: Result) => string | null = () => null,
): Promise<Result> {
  const result = await work().catch(async (error: unknown) => {
    const outcome = error instanceof Refusal && REFUSALS[error.code].status < 500 ? 'refused' : 'failed';
    const detail = error instanceof Error ? error.message : String(error);
    // The first error says more than that of a database which is away.
    await recordOperation(pool, attempt, { outcome, detail }).catch(() => {});
    throw error;
  });
  await recordOperation(pool, attempt, { outcome: 'done', detail: describe(result) });
  return result;
}
