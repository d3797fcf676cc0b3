import { reportHealth } from '@milepost/http/health';
import { isTransientError, type Pool } from '@milepost/postgres';
import { checkApiKeys } from '@milepost/projections/queries';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ServedLanes } from '../served-lanes.ts';

const REASONS = ['database_unavailable', 'read_tables_unavailable'] as const;

const READY_FIGURES = {
  unavailable_lanes: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Lanes that do not respond; absent if all respond.', examples: [[2]] }),
  ),
};

/**
 * Declares `/healthz` and `/readyz`. The API is ready when it can read the API keys and the read tables of one lane.
 * Logs when the database becomes unavailable, and when it is available again.
 */
export function reportReadiness(
  app: FastifyInstance,
  { lanes, directory }: { lanes: ServedLanes; directory: Pool },
  logger: Logger,
): void {
  let away = false;
  let cause: string | undefined;
  reportHealth(app, {
    reasons: REASONS,
    readyFigures: READY_FIGURES,
    check: async () => {
      try {
        const [unavailable_lanes] = await Promise.all([lanes.check(), checkApiKeys(directory)]);
        return unavailable_lanes.length === 0 ? null : { reason: null, unavailable_lanes };
      } catch (error) {
        cause = messageOf(error);
        return isTransientError(error) ? 'database_unavailable' : 'read_tables_unavailable';
      }
    },
    onCheck: (reason) => {
      if (away === (reason === 'database_unavailable')) return;
      away = !away;
      if (away) logger.warn({ reason: cause }, 'The database is not responding: requests are being refused.');
      else logger.info('The database is responding again.');
    },
  });
}
