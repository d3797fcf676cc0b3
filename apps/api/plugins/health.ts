import { reportHealth } from '@milepost/http';
import { isPassingFault, type Pool } from '@milepost/postgres';
import { checkReadTables } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';

const REASONS = ['database_unavailable', 'read_tables_unavailable'] as const;

/** Declares `/healthz` and `/readyz`: ready is who can read the read tables. */
export function reportReadTables(app: FastifyInstance, pool: Pool): void {
  reportHealth(app, REASONS, async () => {
    try {
      await checkReadTables(pool);
      return null;
    } catch (error) {
      return isPassingFault(error) ? 'database_unavailable' : 'read_tables_unavailable';
    }
  });
}
