import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { RefusedError } from '@milepost/operations/audit-trail';
import { type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import {
  projectionsNamed,
  ReplayNotFoundError,
  ReplayRefusedError,
  type ReplayView,
  showReplay,
} from '@milepost/replay';
import { databaseSettings, redisUrl } from '../config.ts';
import { withPoolAt } from '../database.ts';
import { sentenceOf, UsageError } from '../failure.ts';
import { recordedCommand } from '../operator.ts';

/** Where requests for replays are handed in. */
export interface Desk {
  pool: Pool;
  /** Tells the worker that a replay has something to do. Never throws: the worker looks by itself every few seconds. */
  announce: (id: number) => Promise<void>;
  view: (id: number) => Promise<ReplayView>;
}

/**
 * Runs `work` on the database that the settings name or the embedded one that runs, in the operator's role.
 *
 * @throws DatabaseError, DatabaseNotFoundError, SettingError
 */
export async function atDesk<Result>(work: (desk: Desk) => Promise<Result>): Promise<Result> {
  const databaseUrl = await locateDatabase(databaseSettings());
  const settings = { databaseUrl, redisUrl: redisUrl() };
  return await withPoolAt(databaseUrl, ROLES.operator, async (pool) => {
    return await work({
      pool,
      async announce(id) {
        const { announceReplay } = await import('@milepost/ops/queue');
        await announceReplay(settings, id);
      },
      view: async (id) => await showReplay(pool, PROJECTIONS, id),
    });
  });
}

/** Refuses the name of a projection that there is not, before anything is asked of the database. Throws UsageError. */
export function assertProjection(name: string): void {
  try {
    projectionsNamed(PROJECTIONS, name);
  } catch (error) {
    throw new UsageError(sentenceOf(error) ?? `There is no projection ${name}.`);
  }
}

/**
 * Hands in a request and records it in the audit trail.
 *
 * @param describe what came of it, for the audit trail
 * @throws RefusedError when it makes no sense as things stand
 */
export async function recordedRequest<Result>(
  { pool }: Desk,
  action: string,
  parameters: object,
  work: () => Promise<Result>,
  describe?: (result: Result) => string | null,
): Promise<Result> {
  const refusing = async () => {
    try {
      return await work();
    } catch (error) {
      const isRefusal = error instanceof ReplayRefusedError || error instanceof ReplayNotFoundError;
      throw isRefusal ? new RefusedError(error.message) : error;
    }
  };
  return await recordedCommand(pool, action, parameters, refusing, describe);
}
