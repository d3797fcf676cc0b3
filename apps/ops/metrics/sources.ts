import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

/** Partitions beyond this are left out: a misconfigured source must not flood Prometheus with series. */
const MOST_PARTITIONS = 1_000;

interface Row {
  topic: string;
  partition: number;
  next_offset: number;
  fault: number;
}

const HELP = {
  next_offset: 'Offset of the next record to be stored, by topic and partition.',
  fault: '1 while nothing comes from the partition: the status says why. Else 0.',
} as const;

/**
 * Where reading of each partition goes on, and whether it does. Files and what operators did, named with a colon, are left
 * out: each file would be a series of its own, for ever.
 */
export async function sourceMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const rows = await transaction.rows<Row>(
    {
      name: 'metrics-sources',
      text: `SELECT topic, partition, next_offset, (fault IS NOT NULL)::int AS fault FROM log.source
             WHERE topic NOT LIKE '%:%' ORDER BY topic, partition LIMIT $1`,
    },
    [MOST_PARTITIONS],
  );
  for (const figure of ['next_offset', 'fault'] as const) {
    const gauge = new Gauge({
      name: `milepost_source_${figure}`,
      help: HELP[figure],
      labelNames: ['topic', 'partition'],
      registers: [registry],
    });
    for (const { topic, partition, ...row } of rows) gauge.set({ topic, partition }, row[figure]);
  }
}
