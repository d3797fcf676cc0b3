import { keepFailedAudit, runAudit } from '@milepost/audit';
import { asRequest } from '@milepost/operations/mention';
import type { Job } from '@milepost/operations/operation';
import { type Pool, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type Logger, messageOf } from '@milepost/service';
import { type RetentionOptions, runRetention } from './retention.ts';

/** The report has all of them. */
const MOST_LOGGED = 10;

interface TaskContext extends RetentionOptions {
  pool: Pool;
  logger: Logger;
  /** Nothing is tried again once it aborts. */
  signal: AbortSignal;
}

async function retain({ pool, logger, ...options }: TaskContext): Promise<void> {
  const outcome = await runRetention(pool, PROJECTIONS, options);
  if (outcome.started.length + outcome.dropping.length > 0) logger.info(outcome, 'retention');
}

/** Audits, and keeps the reason where that fails: whoever asked for the audit waits for its report. */
async function auditOrSayWhy({ pool, signal }: TaskContext, askedId: number | null) {
  const begin = performance.now();
  try {
    return await runAudit(pool, PROJECTIONS, { id: askedId });
  } catch (error) {
    const seconds = (performance.now() - begin) / 1_000;
    const reason = messageOf(error).replace(/\.$/, '');
    await retryTransientErrors(async () => await keepFailedAudit(pool, askedId, reason, seconds), { signal });
    throw error;
  }
}

async function audit(context: TaskContext, askedId: number | null): Promise<void> {
  const { id, report } = await auditOrSayWhy(context, askedId);
  if (report.equal) return;
  // Not the details, which tell of drivers: they are kept where an erasure finds them.
  const faults = report.faults.slice(0, MOST_LOGGED).map(({ check, projection, day }) => ({ check, projection, day }));
  context.logger.error(
    { audit: id, faults },
    `audit ${id} found ${report.faults.length} faults: ${asRequest.operation('audit.show', { id })} names them`,
  );
}

/**
 * Runs what the schedule, or an operator, asks for. Never rejects: a failed job stays in the queue under its name, where
 * it would keep every later one from being added.
 */
export async function runTask(job: Exclude<Job, { kind: 'replay' }>, context: TaskContext): Promise<void> {
  try {
    if (job.kind === 'audit') await audit(context, job.id);
    else await retain(context);
  } catch (error) {
    context.logger.error({ error }, `${job.kind}: ${messageOf(error)}`);
  }
}
