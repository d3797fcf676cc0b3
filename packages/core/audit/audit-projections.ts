import { readHeadPosition } from '@milepost/event-log/head';
import { inSnapshot, type Pool, queryRow, statement, type Transaction } from '@milepost/postgres';
import { type Projection, tableOf } from '@milepost/projections/engine';
import { AUDITED_GENERATIONS, type AuditedGeneration, checkCheckpoints } from './checks/checkpoints.ts';
import { checkBodies, checkPositions, checkSources } from './checks/log.ts';
import { checkRows } from './checks/rows.ts';
import { faultOf } from './report.ts';

/** By default, the projector counts as stalled when a stored event has been waiting for longer than this time. */
export const STALLED_AFTER_SECONDS = 60;

interface AuditOptions {
  /** The report id reserved by the audit's request, if any. */
  id?: number | null;
  /** The projection to audit; null for all projections. */
  projection?: string | null;
  stalledAfterSeconds?: number;
  /** Called before each step with the number of finished steps, the total, and the name of the next step. */
  onProgress?: (done: number, total: number, next: string) => void;
}

/** No projection has the requested name, so nothing can be audited. */
export class UnknownAuditError extends Error {
  override name = 'UnknownAuditError';
}

/** Locks the tables, because otherwise a table could be dropped between reading its generation and reading its rows. */
async function lockTables(transaction: Transaction, generations: readonly AuditedGeneration[]): Promise<void> {
  if (generations.length === 0) return;
  const tables = generations.map(({ projection, generation }) => tableOf(projection, generation));
  await transaction.run(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`);
}

async function auditSnapshot(
  transaction: Transaction,
  wanted: readonly Projection[],
  { stalledAfterSeconds = STALLED_AFTER_SECONDS, onProgress = () => {} }: AuditOptions,
) {
  // Sorting a large log takes more memory and time than a request is allowed to use.
  await transaction.run("SET LOCAL work_mem = '64MB'; SET LOCAL statement_timeout = 0");
  const names = wanted.map(({ name }) => name);
  const position = await readHeadPosition(transaction);
  const generations = await transaction.rows(AUDITED_GENERATIONS, [names]);
  await lockTables(transaction, generations);
  const projections: Awaited<ReturnType<typeof checkRows>>['audited'][] = [];
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

const INSERT_AUDIT = statement('insert-audit', { id: 'number' })`
  INSERT INTO audit (audit_id, position, equal, seconds, report) OVERRIDING SYSTEM VALUE
  VALUES (coalesce($1, nextval('audit_audit_id_seq')), $2, $3, $4, $5) RETURNING audit_id AS id`;

async function storeReport(
  pool: Pool,
  id: number | null,
  report: { position: number; equal: boolean; seconds: number },
): Promise<number> {
  const values = [id, report.position, report.equal, report.seconds, JSON.stringify(report)];
  return (await queryRow(pool, INSERT_AUDIT, values)).id;
}

/**
 * Recomputes the rows of each live read table from the log, up to the table's checkpoint, and compares them with the
 * stored rows. Reports missing, surplus and differing rows, stopped projections, and faults in the log, and stores the
 * report. Everything is read in one snapshot, so concurrent appends do not appear as faults.
 *
 * @param pool connections made as the projector role, without a statement timeout
 * @returns the report and its id
 * @throws UnknownAuditError when no projection has the requested name
 */
export async function runAudit(pool: Pool, projections: readonly Projection[], options: AuditOptions = {}) {
  const { id = null, projection = null } = options;
  const wanted = projections.filter(({ name }) => projection === null || name === projection);
  if (wanted.length === 0) {
    const names = projections.map(({ name }) => name).join(', ');
    throw new UnknownAuditError(`There is no projection ${projection}: it must be one of ${names}.`);
  }
  const started = performance.now();
  const { position, ...found } = await inSnapshot(pool, async (transaction) => {
    return await auditSnapshot(transaction, wanted, options);
  });
  const report = {
    /** Null if all projections were audited. */
    projection,
    /** The head of the log. */
    position,
    /** RFC 3339. */
    audited_at: new Date().toISOString(),
    seconds: (performance.now() - started) / 1000,
    equal: found.faults.length === 0,
    ...found,
  };
  return { id: await storeReport(pool, id, report), report };
}

type AuditReport = Awaited<ReturnType<typeof runAudit>>['report'];

/**
 * Stores a report about a failed audit of all projections.
 *
 * @param id the reserved id of the report, if any
 * @param reason the cause, without a full stop at the end
 * @returns the id of the report
 */
export async function storeFailedAudit(
  pool: Pool,
  id: number | null,
  reason: string,
  seconds: number,
): Promise<number> {
  const report: AuditReport = {
    projection: null,
    position: await readHeadPosition(pool),
    audited_at: new Date().toISOString(),
    seconds,
    equal: false,
    projections: [],
    faults: [faultOf('audit_failed', null, `The audit did not finish: ${reason}.`)],
  };
  return await storeReport(pool, id, report);
}
