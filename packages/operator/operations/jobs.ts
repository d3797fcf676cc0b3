import { column, execute, type Pool, query, queryRow, type RowOf, statement } from '@milepost/postgres';
import { withTableLock } from '@milepost/postgres/table-lock';

const RETENTION_INTERVAL_MINUTES = 60;

/** A job that runs periodically and whenever an operator requests it. */
export type DueJob = RowOf<typeof FIND_DUE>;

const NEXT_AUDIT_ID = statement('next-audit-id', { id: 'number' })`
  SELECT nextval('audit_audit_id_seq') AS id`;

/** Keeps the id of an earlier request that is still open. */
const REQUEST_AUDIT = statement('request-audit', { id: 'number!' })`
  UPDATE job SET requested = true, audit_id = coalesce(audit_id, $1) WHERE kind = 'audit' RETURNING audit_id AS id`;

const REQUEST_RETENTION = statement('request-retention')`
  UPDATE job SET requested = true WHERE kind = 'retention'`;

const FIND_DUE = statement('find-due-jobs', {
  kind: column<'audit' | 'retention'>('text'),
  requested: 'boolean',
  audit_id: 'number?',
})`
  SELECT kind, requested, audit_id FROM job
  WHERE requested OR ended_at IS NULL
    OR ended_at < now() - make_interval(mins => CASE kind WHEN 'audit' THEN $1::integer ELSE ${RETENTION_INTERVAL_MINUTES} END)
  ORDER BY kind`;

/** A request that arrived during a scheduled run stays open. */
const END = statement('end-job')`
  UPDATE job SET requested = requested AND NOT $2::boolean, audit_id = nullif(audit_id, $3), ended_at = now()
  WHERE kind = $1`;

/** Requests an audit, as the operator role. Returns the id that the report will have. */
export async function requestAudit(pool: Pool): Promise<number> {
  const { id } = await queryRow(pool, NEXT_AUDIT_ID);
  const [requested] = await query(pool, REQUEST_AUDIT, [id]);
  if (!requested) throw new Error('The lane has no row for its audits.');
  return requested.id;
}

/** Requests a retention run, as the operator role. */
export async function requestRetention(pool: Pool): Promise<void> {
  await execute(pool, REQUEST_RETENTION);
}

/** Finds a lane's requested and due jobs. */
export async function findDueJobs(pool: Pool, auditIntervalMinutes: number): Promise<DueJob[]> {
  return await query(pool, FIND_DUE, [auditIntervalMinutes]);
}

/**
 * Runs a lane's job if it is due and the lane has no running job. The job counts as done when `run` resolves.
 *
 * @param pool connections made as the projector role
 * @returns whether the job ran
 */
export async function runIfDue(
  pool: Pool,
  kind: DueJob['kind'],
  auditIntervalMinutes: number,
  run: (job: DueJob) => Promise<void>,
): Promise<boolean> {
  // Only one worker at a time runs a lane's jobs. If that worker is killed, another one takes over.
  const ran = await withTableLock(pool, 'job', async () => {
    // Another worker may have done the job before this worker got the lock.
    const due = (await findDueJobs(pool, auditIntervalMinutes)).find((job) => job.kind === kind);
    if (!due) return false;
    await run(due);
    await execute(pool, END, [kind, due.requested, due.audit_id]);
    return true;
  });
  return ran ?? false;
}
