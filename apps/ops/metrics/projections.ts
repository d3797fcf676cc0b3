import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

interface Row {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
  lag_events: number;
  lag_seconds: number;
  failed: number;
}

const HELP = {
  checkpoint: 'Position up to which the live generation has been applied.',
  lag_events: 'Stored events that the live generation does not show yet.',
  lag_seconds: 'Age of the oldest stored event that the live generation does not show yet; 0 when there is none.',
  failed: '1 while the projection stands still at a stored event that it cannot apply.',
} as const;

/** How far the live generation of each projection has come. */
export async function projectionMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const rows = await transaction.rows<Row>({
    name: 'metrics-projections',
    text: `SELECT generation.projection, generation, version, checkpoint, head.position - checkpoint AS lag_events,
             coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
             (failure IS NOT NULL)::int AS failed
           FROM projection.generation CROSS JOIN log.head
           LEFT JOIN log.stored_event AS next ON next.position = checkpoint + 1
           WHERE live ORDER BY generation.projection`,
  });
  for (const figure of ['checkpoint', 'lag_events', 'lag_seconds', 'failed'] as const) {
    const gauge = new Gauge({
      name: `milepost_projection_${figure}`,
      help: HELP[figure],
      labelNames: ['projection', 'generation', 'version'],
      registers: [registry],
    });
    for (const row of rows) {
      const { projection, generation, version } = row;
      gauge.set({ projection, generation, version }, row[figure]);
    }
  }
}
