import type { AuditReport } from '@milepost/audit';
import type { Pool, Statement } from '@milepost/postgres';

/** An audit that was kept, in short. */
export interface AuditSummary {
  id: number;
  at: Date;
  /** Where the log ended. */
  position: number;
  equal: boolean;
  seconds: number;
  /** The only projection looked at; null: all. */
  projection: string | null;
  faults: number;
}

const LIST_AUDITS: Statement = {
  name: 'list-audits-in-short',
  text: `SELECT audit_id AS id, at, position, equal, seconds, report ->> 'projection' AS projection,
           jsonb_array_length(report -> 'faults') AS faults
         FROM projection.audit WHERE audit_id < coalesce($1, 9223372036854775807) ORDER BY audit_id DESC LIMIT $2`,
};

const FIND_AUDIT: Statement = {
  name: 'find-audit',
  text: 'SELECT audit_id AS id, at, position, equal, seconds, report FROM projection.audit WHERE audit_id = $1',
};

/**
 * Kept audits in short, the newest first. `pool` acts in the operator's role.
 *
 * @param page at most `limit` of them, all with smaller ids than `before`, where it is given
 */
export async function findAudits(
  pool: Pool,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<AuditSummary[]> {
  const { rows } = await pool.query<AuditSummary>({ ...LIST_AUDITS, values: [before ?? null, limit] });
  return rows;
}

/** One kept audit with its report; null when there is none with this id. */
export async function findAudit(
  pool: Pool,
  id: number,
): Promise<{ id: number; at: Date; position: number; equal: boolean; seconds: number; report: AuditReport } | null> {
  const { rows } = await pool.query({ ...FIND_AUDIT, values: [id] });
  return rows[0] ?? null;
}
