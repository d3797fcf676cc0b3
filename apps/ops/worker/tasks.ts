import { runAudit } from '@milepost/audit';
import type { Job } from '@milepost/operations/operation';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { AUDITS } from '@milepost/projections/audits';
import { type Logger, messageOf } from '@milepost/service';
import { retentionPolicies } from '../retention/policies.ts';
import { runRetention } from '../retention/run-retention.ts';

/** The report has all of them. */
const MOST_LOGGED = 10;

/** How the scheduled tasks are set. */
export interface Tasks {
  /** Null: trips are kept for ever. */
  tripRetentionDays: number | null;
  replacedGenerationDays: number;
}

interface TaskContext extends Tasks {
  pool: Pool;
  logger: Logger;
}

async function retain({ pool, logger, tripRetentionDays, replacedGenerationDays }: TaskContext): Promise<void> {
  const policies = retentionPolicies(Date.now(), tripRetentionDays);
  const options = { policies, keepReplacedDays: replacedGenerationDays };
  const outcome = await runRetention(pool, PROJECTIONS, options);
  if (outcome.started.length + outcome.dropping.length > 0) logger.info(outcome, 'retention');
}

async function audit({ pool, logger }: TaskContext): Promise<void> {
  const { id, report } = await runAudit(pool, AUDITS);
  if (report.equal) return;
  // Not the details, which tell of drivers: they are kept where an erasure finds them.
  const faults = report.faults.slice(0, MOST_LOGGED).map(({ check, projection, day }) => ({ check, projection, day }));
  logger.error(
    { audit: id, faults },
    `audit ${id} found ${report.faults.length} faults: \`milepost audit\` names them`,
  );
}

const TASKS = { audit, retention: retain };

/**
 * Runs what the schedule, or an operator, asks for. Never rejects: a failed job stays in the queue under its name, where
 * it would keep every later one from being added.
 */
export async function runTask({ kind }: Exclude<Job, { kind: 'replay' }>, context: TaskContext): Promise<void> {
  try {
    await TASKS[kind](context);
  } catch (error) {
    context.logger.error({ error }, `${kind}: ${messageOf(error)}`);
  }
}
