import { inTransaction, type Pool, type Statement } from '@milepost/postgres';
import { type AuditOptions, auditProjections } from './audit-projections.ts';
import type { ProjectionAudit } from './projection-audit.ts';
import type { AuditReport } from './report.ts';

const MOST_LISTED = 1_000;

/** An audit that was kept. */
export interface KeptAudit {
  id: number;
  at: Date;
  position: number;
  equal: boolean;
  seconds: number;
  report: AuditReport;
}

const INSERT_AUDIT: Statement = {
  name: 'insert-audit',
  text: 'INSERT INTO projection.audit (position, equal, seconds, report) VALUES ($1, $2, $3, $4) RETURNING audit_id AS id',
};

const COLUMNS = 'audit_id AS id, at, position, equal, seconds, report';

/**
 * Audits the live read tables and keeps the report.
 *
 * @param pool connections in the projector's role, without a limit on statements
 * @throws UnknownAuditError when `projection` names none
 */
export async function runAudit(
  pool: Pool,
  audits: readonly ProjectionAudit[],
  options: AuditOptions = {},
): Promise<{ id: number; report: AuditReport }> {
  const report = await auditProjections(pool, audits, options);
  const id = await inTransaction(pool, async (transaction) => {
    const { position, equal, seconds } = report;
    const [kept] = await transaction.rows<{ id: number }>(INSERT_AUDIT, [
      position,
      equal,
      seconds,
      JSON.stringify(report),
    ]);
    if (!kept) throw new Error('An audit was stored without an id.');
    return kept.id;
  });
  return { id, report };
}

/**
 * Kept audits, the newest first.
 *
 * @param limit at most 1,000 of them
 */
export async function listAudits(pool: Pool, limit = 50): Promise<KeptAudit[]> {
  const { rows } = await pool.query<KeptAudit>({
    name: 'list-audits',
    text: `SELECT ${COLUMNS} FROM projection.audit ORDER BY audit_id DESC LIMIT $1`,
    values: [Math.min(limit, MOST_LISTED)],
  });
  return rows;
}

/** The newest audit of all projections; null when there was none yet. */
export async function latestAudit(pool: Pool): Promise<KeptAudit | null> {
  const { rows } = await pool.query<KeptAudit>({
    name: 'latest-audit',
    text: `SELECT ${COLUMNS} FROM projection.audit WHERE report ->> 'projection' IS NULL ORDER BY audit_id DESC LIMIT 1`,
  });
  return rows[0] ?? null;
}
