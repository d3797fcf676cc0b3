import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

const STATES = ['live', 'building', 'retired'] as const;

type Row = { projection: string } & Record<(typeof STATES)[number], number>;

/** How many generations of each read table there are, all of which take space. */
export async function generationMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const rows = await transaction.rows<Row>({
    name: 'metrics-generations',
    text: `SELECT projection, count(*) FILTER (WHERE live) AS live,
             count(*) FILTER (WHERE NOT live AND retired_at IS NULL) AS building,
             count(*) FILTER (WHERE retired_at IS NOT NULL) AS retired
           FROM projection.generation WHERE dropped_at IS NULL GROUP BY projection ORDER BY projection`,
  });
  const gauge = new Gauge({
    name: 'milepost_generations',
    help: 'Generations of a read table: live, being built, or kept for a roll back.',
    labelNames: ['projection', 'state'],
    registers: [registry],
  });
  for (const row of rows) {
    for (const state of STATES) gauge.set({ projection: row.projection, state }, row[state]);
  }
}
