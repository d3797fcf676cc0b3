import { isPassingFault, type Pool } from '@milepost/postgres';
import { reportHealth } from '@milepost/service/http';
import type { FastifyInstance } from 'fastify';

const REASONS = ['database_unavailable', 'database_not_migrated'] as const;

/** Declares `/healthz` and `/readyz`: ready is who can read the log's head. */
export function reportDatabase(app: FastifyInstance, pool: Pool): void {
  reportHealth(app, REASONS, async () => {
    try {
      await pool.query({ name: 'check-head', text: 'SELECT position FROM log.head' });
      return null;
    } catch (error) {
      return isPassingFault(error) ? 'database_unavailable' : 'database_not_migrated';
    }
  });
}
