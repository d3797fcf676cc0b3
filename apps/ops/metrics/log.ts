import type { Transaction } from '@milepost/postgres';
import { Counter, Gauge, type Registry } from 'prom-client';

interface Row {
  position: number;
  stored: number;
  duplicate: number;
  dead_letter: number;
}

/**
 * Where the log ends, and what has become of all records. A dead letter that was stored later, or found to be a duplicate,
 * counts as both: a counter that went down would look like a restart to Prometheus.
 */
export async function logMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const [row] = await transaction.rows<Row>({
    name: 'metrics-log',
    text: `SELECT (SELECT position FROM log.head), coalesce(sum(records_stored), 0) AS stored,
             coalesce(sum(records_duplicate), 0) AS duplicate,
             coalesce(sum(records_dead_letter), 0)
               + (SELECT count(*) FROM log.dead_letter WHERE resolution IN ('retried', 'duplicate')) AS dead_letter
           FROM log.source`,
  });
  const { position = 0, ...outcomes } = row ?? {};
  new Gauge({ name: 'milepost_head_position', help: 'Last position of the event log.', registers: [registry] }).set(
    position,
  );
  const records = new Counter({
    name: 'milepost_records_total',
    help: 'Records read, by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const [outcome, count] of Object.entries(outcomes)) records.inc({ outcome }, count);
}
