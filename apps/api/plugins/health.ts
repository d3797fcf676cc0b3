import { reportHealth } from '@milepost/http';
import { isTransientError, type Pool } from '@milepost/postgres';
import { checkReadTables } from '@milepost/projections/queries';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';

const REASONS = ['database_unavailable', 'read_tables_unavailable'] as const;

/** Declares `/healthz` and `/readyz`: ready is who can read the read tables. Logs when the database goes, and comes back. */
export function reportReadTables(app: FastifyInstance, pool: Pool, logger: Logger): void {
  let away = false;
  let cause: string | undefined;
  reportHealth(app, {
    reasons: REASONS,
    check: async () => {
      try {
        await checkReadTables(pool);
        return null;
      } catch (error) {
        cause = messageOf(error);
        return isTransientError(error) ? 'database_unavailable' : 'read_tables_unavailable';
      }
    },
    onCheck: (reason) => {
      if (away === (reason === 'database_unavailable')) return;
      away = !away;
      if (away) logger.warn({ reason: cause }, 'The database does not answer: requests are refused until it does.');
      else logger.info('The database answers again.');
    },
  });
}
