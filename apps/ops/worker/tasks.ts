import { runAudit } from '@milepost/audit';
import { asRequest } from '@milepost/operations/mention';
import type { Job } from '@milepost/operations/operation';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type Logger, messageOf } from '@milepost/service';
import { type RetentionOptions, runRetention } from './retention.ts';

/** The report has all of them. */
const MOST_LOGGED = 10;

interface TaskContext extends RetentionOptions {
  pool: Pool;
  logger: Logger;
}

async function retain({ pool, logger, ...options }: TaskContext): Promise<void> {
  const outcome = await runRetention(pool, PROJECTIONS, options);
  if (outcome.started.length + outcome.dropping.length > 0) logger.info(outcome, 'retention');
}

async function audit({ pool, logger }: TaskContext, askedId: number | null): Promise<void> {
  const { id, report } = await runAudit(pool, PROJECTIONS, { id: askedId });
  if (report.equal) return;
  // Not the details, which tell of drivers: they are kept where an erasure finds them.
  const faults = report.faults.slice(0, MOST_LOGGED).map(({ check, projection, day }) => ({ check, projection, day }));
  logger.error(
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
