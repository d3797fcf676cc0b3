import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';
import { headPosition, tableOf } from '@milepost/projections/engine';
import { checkBodies } from './checks/bodies.ts';
import { checkCheckpoints } from './checks/checkpoints.ts';
import { checkPositions } from './checks/positions.ts';
import { checkRows } from './checks/rows.ts';
import { checkSources } from './checks/sources.ts';
import type { ProjectionAudit } from './projection-audit.ts';
import type { AuditedProjection, AuditFault, AuditReport } from './report.ts';
import { type AuditedGeneration, readAuditedGenerations } from './sql/audited-generations.ts';

/** A stored event that waits longer than this means that the projector stands still. */
export const STALLED_AFTER_SECONDS = 60;

export interface AuditOptions {
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

function auditsNamed(audits: readonly ProjectionAudit[], name: string | null): readonly ProjectionAudit[] {
  const found = audits.filter(({ projection }) => name === null || projection === name);
  if (found.length > 0) return found;
  const names = audits.map(({ projection }) => projection).join(', ');
  throw new UnknownAuditError(`There is no projection ${name}: it must be one of ${names}.`);
}

/** Without it a table could be dropped between the look at the generations and the look at its rows. */
async function holdTables(transaction: Transaction, generations: readonly AuditedGeneration[]): Promise<void> {
  if (generations.length === 0) return;
  const tables = generations.map(({ projection, generation }) => tableOf(projection, generation));
  await transaction.run(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`);
}

interface Findings {
  position: number;
  projections: AuditedProjection[];
  faults: AuditFault[];
}

async function look(
  transaction: Transaction,
  audits: readonly ProjectionAudit[],
  { stalledAfterSeconds = STALLED_AFTER_SECONDS, onProgress = () => {} }: AuditOptions,
): Promise<Findings> {
  // Sorting a large log needs more than a request may have, and longer than a request may take.
  await transaction.run("SET LOCAL work_mem = '64MB'; SET LOCAL statement_timeout = 0");
  const wanted = audits.map(({ projection }) => projection);
  const position = await headPosition(transaction);
  const generations = await readAuditedGenerations(transaction, wanted);
  await holdTables(transaction, generations);
  const projections: AuditedProjection[] = [];
  const faults = await checkCheckpoints(transaction, generations, wanted, position, stalledAfterSeconds);
  const steps = [
    { name: 'positions', run: async () => await checkPositions(transaction, position) },
    { name: 'sources', run: async () => await checkSources(transaction) },
    { name: 'trip bodies', run: async () => await checkBodies(transaction) },
    ...generations.map((generation) => ({
      name: generation.projection,
      async run() {
        const audit = audits.find(({ projection }) => projection === generation.projection);
        if (!audit) return [];
        const { audited, faults: found } = await checkRows(transaction, audit, generation);
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
 */
export async function auditProjections(
  pool: Pool,
  audits: readonly ProjectionAudit[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  const projection = options.projection ?? null;
  const wanted = auditsNamed(audits, projection);
  const started = performance.now();
  const findings = await inTransaction(pool, async (transaction) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await look(transaction, wanted, options);
  });
  return {
    projection,
    position: findings.position,
    audited_at: new Date().toISOString(),
    seconds: (performance.now() - started) / 1000,
    equal: findings.faults.length === 0,
    projections: findings.projections,
    faults: findings.faults,
  };
}
