import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

/** Partitions beyond this are left out: a misconfigured source must not flood Prometheus with series. */
const MOST_PARTITIONS = 1_000;

interface Row {
  topic: string;
  partition: number;
  next_offset: number;
}

/** Where reading of each partition goes on. Files are left out: each would be a series of its own, for ever. */
export async function sourceMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const rows = await transaction.rows<Row>(
    {
      name: 'metrics-sources',
      text: `SELECT topic, partition, next_offset FROM log.source WHERE topic NOT LIKE 'file:%'
             ORDER BY topic, partition LIMIT $1`,
    },
    [MOST_PARTITIONS],
  );
  const gauge = new Gauge({
    name: 'milepost_source_next_offset',
    help: 'Offset of the next record to be stored, by topic and partition.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
  });
  for (const { topic, partition, next_offset } of rows) gauge.set({ topic, partition }, next_offset);
}
