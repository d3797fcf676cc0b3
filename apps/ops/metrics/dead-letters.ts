import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import type { Transaction } from '@milepost/postgres';
import { Gauge, type Registry } from 'prom-client';

/** Dead letters that nobody has settled; 0, not missing, for reasons that none has, so that alerts can compare. */
export async function deadLetterMetrics(registry: Registry, transaction: Transaction): Promise<void> {
  const rows = await transaction.rows<{ reason: string; count: number }>({
    name: 'metrics-dead-letters',
    text: 'SELECT reason, count(*) FROM log.dead_letter WHERE resolution IS NULL GROUP BY reason',
  });
  const gauge = new Gauge({
    name: 'milepost_dead_letters_open',
    help: 'Dead letters that nobody has settled.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of Object.keys(DEAD_LETTER_REASONS)) gauge.set({ reason }, 0);
  for (const { reason, count } of rows) gauge.set({ reason }, count);
}
