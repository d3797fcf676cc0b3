import { runAudit, storeFailedAudit } from '@milepost/audit';
import type { JobMetrics } from '@milepost/metrics/jobs';
import { type DueJob, findDueJobs, runIfDue } from '@milepost/operations/jobs';
import { type Pool, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { causeOf, type Logger, messageOf } from '@milepost/service';
import { type RetentionOptions, runRetention } from './retention.ts';

/** The maximum number of faults in a log line. The audit's report contains all of them. */
const MAX_LOGGED = 10;

/** The parts of the worker's options that its jobs need. */
export interface JobOptions {
  auditIntervalMinutes: number;
  retention: RetentionOptions;
  metrics: JobMetrics;
  /** Ends retries when it aborts. */
  signal: AbortSignal;
}

/** A lane whose jobs run here. */
export interface JobLane {
  /** Connections made as the projector role, without a statement timeout. */
  pool: Pool;
  logger: Logger;
}

/** Runs an audit. If it fails, the reason is stored as the report, because the operator is waiting for a report. */
async function auditOrStoreFailure(pool: Pool, signal: AbortSignal, requestedId: number | null) {
  const begin = performance.now();
  try {
    return await runAudit(pool, PROJECTIONS, { id: requestedId });
  } catch (error) {
    const seconds = (performance.now() - begin) / 1_000;
    const store = async () => await storeFailedAudit(pool, requestedId, causeOf(error), seconds);
    await retryTransientErrors(store, { signal });
    throw error;
  }
}

async function audit({ pool, logger }: JobLane, signal: AbortSignal, requestedId: number | null): Promise<void> {
  const { id, report } = await auditOrStoreFailure(pool, signal, requestedId);
  if (report.equal) return;
  // Details are not logged, because they may identify drivers, and an erasure cannot change a process's log.
  const faults = report.faults.slice(0, MAX_LOGGED).map(({ check, projection, day }) => ({ check, projection, day }));
  logger.error(
    { audit: id, faults },
    `Audit ${id} found ${report.faults.length} faults: \`milepost audit show ${id}\` shows them.`,
  );
}

async function retain({ pool, logger }: JobLane, options: RetentionOptions): Promise<void> {
  const outcome = await runRetention(pool, PROJECTIONS, options);
  if (outcome.started.length + outcome.dropping.length > 0) logger.info(outcome, 'Retention has run.');
}

/** Runs a lane's job if it is due, unless another worker is running a job in the lane. Returns whether the job ran. */
export async function runJob(lane: JobLane, kind: DueJob['kind'], options: JobOptions): Promise<boolean> {
  const { auditIntervalMinutes, retention, metrics, signal } = options;
  return await runIfDue(lane.pool, kind, auditIntervalMinutes, async ({ audit_id }) => {
    const run = async () => (kind === 'audit' ? await audit(lane, signal, audit_id) : await retain(lane, retention));
    // A failed job is not repeated immediately, but after its usual interval.
    await metrics
      .measure(kind, run)
      .catch((error: unknown) => lane.logger.error({ error }, `The ${kind} failed: ${causeOf(error)}.`));
  });
}

/** Runs one of the lanes' due jobs, preferably one that an operator has requested. Returns whether a job ran. */
export async function runNext(lanes: readonly JobLane[], options: JobOptions): Promise<boolean> {
  const onError = (lane: JobLane) => (error: unknown) => {
    if (!options.signal.aborted) lane.logger.warn({ reason: messageOf(error) }, 'Jobs could not run; retrying.');
  };
  const found = lanes.map(async (lane) => {
    const jobs = (await findDueJobs(lane.pool, options.auditIntervalMinutes).catch(onError(lane))) ?? [];
    return jobs.map((job) => ({ lane, ...job }));
  });
  const due = (await Promise.all(found)).flat();
  for (const { lane, kind } of due.sort((one, other) => Number(other.requested) - Number(one.requested))) {
    if (options.signal.aborted) return false;
    if (await runJob(lane, kind, options).catch(onError(lane))) return true;
  }
  return false;
}
