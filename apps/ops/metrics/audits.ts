import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

interface Row {
  equal: number;
  seconds: number;
  age_seconds: number;
  faults: { check: string; projection: string | null; count: number }[];
}

const HELP = {
  equal: '1 if the newest audit of all projections found nothing, 0 if it found faults.',
  age_seconds: 'Since the newest audit of all projections.',
  seconds: 'How long the newest audit of all projections took.',
} as const;

/** What the newest audit of all projections found; missing while there was none. */
export async function auditMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const [row] = await transaction.rows<Row>({
    name: 'metrics-audit',
    text: `SELECT equal::int, seconds, extract(epoch FROM clock_timestamp() - at)::float8 AS age_seconds,
             (SELECT coalesce(json_agg(fault), '[]') FROM (
                SELECT fault ->> 'check' AS "check", fault ->> 'projection' AS projection, count(*) AS count
                FROM jsonb_array_elements(report -> 'faults') AS fault GROUP BY 1, 2 ORDER BY 1, 2) fault) AS faults
           FROM projection.audit WHERE report ->> 'projection' IS NULL ORDER BY audit_id DESC LIMIT 1`,
  });
  if (!row) return;
  const registers = [registry];
  for (const figure of ['equal', 'age_seconds', 'seconds'] as const) {
    new Gauge({ name: `milepost_audit_${figure}`, help: HELP[figure], registers }).set(row[figure]);
  }
  const faults = new Gauge({
    name: 'milepost_audit_faults',
    help: 'Faults that the newest audit of all projections found; those of the log have no projection.',
    labelNames: ['check', 'projection'],
    registers,
  });
  for (const { check, projection, count } of row.faults) faults.set({ check, projection: projection ?? '' }, count);
}
