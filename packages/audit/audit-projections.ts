import { inTransaction, number, type Pool, statement, type Transaction } from '@milepost/postgres';
import { headPosition, type Projection, tableOf } from '@milepost/projections/engine';
import { type AuditedGeneration, readAuditedGenerations } from './audited-generations.ts';
import { checkCheckpoints } from './checks/checkpoints.ts';
import { checkBodies, checkPositions, checkSources } from './checks/log.ts';
import { checkRows } from './checks/rows.ts';
import { type AuditedProjection, type AuditReport, faultOf } from './report.ts';

/** A stored event that waits longer than this means that the projector stands still. */
const STALLED_AFTER_SECONDS = 60;

interface AuditOptions {
  /** The report's id, where it has one already. */
  id?: number | null;
  /** The only projection to look at; null: all. */
  projection?: string | null;
  stalledAfterSeconds?: number;
  /** Called before each step with how many are done, of how many, and what comes next. */
  onProgress?: (done: number, total: number, next: string) => void;
}

/** There is no audit for a projection of this name. */
export class UnknownAuditError extends Error {
  override name = 'UnknownAuditError';
}

function projectionsNamed(projections: readonly Projection[], asked: string | null): readonly Projection[] {
  const found = projections.filter(({ name }) => asked === null || name === asked);
  if (found.length > 0) return found;
  const names = projections.map(({ name }) => name).join(', ');
  throw new UnknownAuditError(`There is no projection ${asked}: it must be one of ${names}.`);
}

/** Without it a table could be dropped between the look at the generations and the look at its rows. */
async function holdTables(transaction: Transaction, generations: readonly AuditedGeneration[]): Promise<void> {
  if (generations.length === 0) return;
  const tables = generations.map(({ projection, generation }) => tableOf(projection, generation));
  await transaction.run(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`);
}

async function look(
  transaction: Transaction,
  wanted: readonly Projection[],
  { stalledAfterSeconds = STALLED_AFTER_SECONDS, onProgress = () => {} }: AuditOptions,
): Promise<Pick<AuditReport, 'position' | 'projections' | 'faults'>> {
  // Sorting a large log needs more than a request may have, and longer than a request may take.
  await transaction.run("SET LOCAL work_mem = '64MB'; SET LOCAL statement_timeout = 0");
  const names = wanted.map(({ name }) => name);
  const position = await headPosition(transaction);
  const generations = await readAuditedGenerations(transaction, names);
  await holdTables(transaction, generations);
  const projections: AuditedProjection[] = [];
  const faults = await checkCheckpoints(transaction, generations, names, position, stalledAfterSeconds);
  const steps = [
    { name: 'positions', run: async () => await checkPositions(transaction, position) },
    { name: 'sources', run: async () => await checkSources(transaction) },
    { name: 'trip bodies', run: async () => await checkBodies(transaction) },
    ...generations.map((generation) => ({
      name: generation.projection,
      async run() {
        const projection = wanted.find(({ name }) => name === generation.projection);
        if (!projection) return [];
        const { audited, faults: found } = await checkRows(transaction, projection.audit, generation);
        projections.push(audited);
        return found;
      },
    })),
  ];
  for (const [index, { name, run }] of steps.entries()) {
    onProgress(index, steps.length, name);
    faults.push(...(await run()));
  }
  onProgress(steps.length, steps.length, '');
  return { position, projections, faults };
}

/**
 * Recounts from the log what the live read tables should hold, each as of its checkpoint, and names what is missing, too
 * many or different; finds projections that stand still, and faults of the log itself. All of it is of one snapshot, so
 * what is appended or projected meanwhile is no fault.
 *
 * @param pool connections in the projector's role, without a limit on statements
 * @throws UnknownAuditError when `projection` names none
 * Exported for tests.
 */
export async function auditProjections(
  pool: Pool,
  projections: readonly Projection[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  const projection = options.projection ?? null;
  const wanted = projectionsNamed(projections, projection);
  const started = performance.now();
  const {
    position,
    projections: audited,
    faults,
  } = await inTransaction(pool, async (transaction) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await look(transaction, wanted, options);
  });
  return {
    projection,
    position,
    audited_at: new Date().toISOString(),
    seconds: (performance.now() - started) / 1000,
    equal: faults.length === 0,
    projections: audited,
    faults,
  };
}

const INSERT_AUDIT = statement('insert-audit', { id: number })`
  INSERT INTO projection.audit (audit_id, position, equal, seconds, report) OVERRIDING SYSTEM VALUE
  VALUES (coalesce($1, nextval('projection.audit_audit_id_seq')), $2, $3, $4, $5) RETURNING audit_id AS id`;

async function keep(pool: Pool, id: number | null, report: AuditReport): Promise<number> {
  const values = [id, report.position, report.equal, report.seconds, JSON.stringify(report)];
  return await inTransaction(pool, async (transaction) => {
    const [kept] = await transaction.rows(INSERT_AUDIT, values);
    if (!kept) throw new Error('An audit was stored without an id.');
    return kept.id;
  });
}

/**
 * Audits the live read tables and keeps the report.
 *
 * @param pool connections in the projector's role, without a limit on statements
 * @throws UnknownAuditError when `projection` names none
 */
export async function runAudit(
  pool: Pool,
  projections: readonly Projection[],
  options: AuditOptions = {},
): Promise<{ id: number; report: AuditReport }> {
  const report = await auditProjections(pool, projections, options);
  return { id: await keep(pool, options.id ?? null, report), report };
}

/**
 * Keeps a report of an audit of all projections that did not come to its end, so that nobody waits for another one.
 *
 * @param id the report's, where it has one already
 * @param reason why it failed, without a full stop
 * @returns the report's id
 */
export async function keepFailedAudit(pool: Pool, id: number | null, reason: string, seconds: number): Promise<number> {
  const report = {
    projection: null,
    position: await inTransaction(pool, headPosition),
    audited_at: new Date().toISOString(),
    seconds,
    equal: false,
    projections: [],
    faults: [faultOf('audit_failed', null, `The audit did not come to its end: ${reason}.`)],
  };
  return await keep(pool, id, report);
}
