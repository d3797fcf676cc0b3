import { isPassingFault, type Pool } from '@milepost/postgres';
import { checkReadTables } from '@milepost/read-models/queries';
import { reportHealth } from '@milepost/service/http';
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
