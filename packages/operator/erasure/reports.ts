import { statement, type Transaction } from '@milepost/postgres';
import { inSql, RESTING_PHASES } from '@milepost/replay';

/**
 * A running replay may already have read the erased data and could store samples of it or quote it in an error. Once
 * its claim is revoked, the process that is running the replay cannot write. The next process that claims the replay
 * repeats the step.
 */
const REVOKE_CLAIMS = statement('erasure-revoke-claims')`
  UPDATE replay SET epoch = epoch + 1, lease_expires_at = NULL
  WHERE phase NOT IN ${inSql(RESTING_PHASES)}`;

const FORGET_SAMPLES = statement('erasure-forget-samples')`
  UPDATE replay SET verification = jsonb_set(verification, '{tables}', (
    SELECT coalesce(jsonb_agg(jsonb_set(compared || '{"samples": []}', '{changes,largest}', '[]', false) ORDER BY place), '[]')
    FROM jsonb_array_elements(verification -> 'tables') WITH ORDINALITY AS list (compared, place)))
  WHERE verification IS NOT NULL`;

const FORGET_ERRORS = statement('erasure-forget-errors')`
  UPDATE replay SET error = 'The text was removed when a driver was erased.' WHERE error IS NOT NULL`;

/** A projector that is still stopped will soon store the cause again. */
const FORGET_FAILURES = statement('erasure-forget-failures')`
  UPDATE generation SET failure = 'The text was removed when a driver was erased.' WHERE failure IS NOT NULL`;

/**
 * Removes the keys, details and stored events from the faults of all audits. The audits' verdicts remain. Only the
 * eraser role may do so, because audits are append-only for all other roles.
 */
export const FORGET_FAULTS = statement('erasure-forget-faults')`
  UPDATE audit SET report = jsonb_set(report, '{faults}', (
    SELECT coalesce(jsonb_agg(fault || '{"key": null, "detail": "The text was removed when a driver was erased.", "positions": []}'
      ORDER BY place), '[]')
    FROM jsonb_array_elements(report -> 'faults') WITH ORDINALITY AS list (fault, place)))
  WHERE NOT equal`;

/**
 * Removes all samples from replays, and all error texts from replays and stopped projections. A search for the texts
 * about this driver could miss an unusual spelling of the id. Counts remain.
 */
export async function eraseFromReplays(transaction: Transaction): Promise<void> {
  await transaction.execute(REVOKE_CLAIMS);
  await transaction.execute(FORGET_SAMPLES);
  await transaction.execute(FORGET_ERRORS);
  await transaction.execute(FORGET_FAILURES);
}
