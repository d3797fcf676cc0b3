import { runAudit, storeFailedAudit } from '@milepost/audit';
import type { Job } from '@milepost/operations/operation';
import { type Pool, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type Logger, messageOf } from '@milepost/service';
import { type RetentionOptions, runRetention } from './retention.ts';

/** The maximum number of faults in a log line. The report of the audit contains all of them. */
const MAX_LOGGED = 10;

interface TaskContext extends RetentionOptions {
  pool: Pool;
  logger: Logger;
  /** Ends retries when it aborts. */
  signal: AbortSignal;
}

async function retain({ pool, logger, ...options }: TaskContext): Promise<void> {
  const outcome = await runRetention(pool, PROJECTIONS, options);
  if (outcome.started.length + outcome.dropping.length > 0) logger.info(outcome, 'retention');
}

/** Runs an audit. If it fails, the reason is stored as the report, because the operator waits for a report. */
async function auditOrStoreFailure({ pool, signal }: TaskContext, requestedId: number | null) {
  const begin = performance.now();
  try {
    return await runAudit(pool, PROJECTIONS, { id: requestedId });
  } catch (error) {
    const seconds = (performance.now() - begin) / 1_000;
    const reason = messageOf(error).replace(/\.$/, '');
    await retryTransientErrors(async () => await storeFailedAudit(pool, requestedId, reason, seconds), { signal });
    throw error;
  }
}

async function audit(context: TaskContext, requestedId: number | null): Promise<void> {
  const { id, report } = await auditOrStoreFailure(context, requestedId);
  if (report.equal) return;
  // Details are not logged, because they may identify drivers, and an erasure cannot change the log of a process.
  const faults = report.faults.slice(0, MAX_LOGGED).map(({ check, projection, day }) => ({ check, projection, day }));
  context.logger.error(
    { audit: id, faults },
    `audit ${id} found ${report.faults.length} faults: \`milepost audit show ${id}\` shows them`,
  );
}

/**
 * Runs a job that the schedule or an operator has added. Never rejects, because a failed job would stay in the queue
 * under its id and block every later job with this id.
 */
export async function runTask(job: Exclude<Job, { kind: 'replay' }>, context: TaskContext): Promise<void> {
  try {
    if (job.kind === 'audit') await audit(context, job.id);
    else await retain(context);
  } catch (error) {
    context.logger.error({ error }, `${job.kind}: ${messageOf(error)}`);
  }
}
