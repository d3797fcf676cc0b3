import type { Pool } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import {
  dropReplay,
  findExpired,
  findOutdated,
  hasRowsBefore,
  ReplayRefusedError,
  startReplay,
} from '@milepost/replay';

/** The requester of the replays that retention starts. */
const REQUESTED_BY = 'retention';

export interface RetentionOptions {
  /** For how many days trips are kept. If null, they are kept forever. */
  tripRetentionDays: number | null;
  /** For how many days replaced generations are kept for a rollback. */
  replacedGenerationDays: number;
}

interface RetentionOutcome {
  /** The ids of the replays that were started to remove old rows. */
  started: number[];
  /** The ids of the replays whose replaced generations will be dropped. */
  dropping: number[];
}

/**
 * Starts a replay of each read table that has rows before its cutoff, which no request can reach. The new generation
 * contains only rows from the cutoff onward, is verified for these days, and is promoted. The function also drops
 * generations that have been kept long enough.
 *
 * @param pool connections in the projector's role
 */
export async function runRetention(
  pool: Pool,
  projections: readonly Projection[],
  { tripRetentionDays, replacedGenerationDays }: RetentionOptions,
): Promise<RetentionOutcome> {
  const started: number[] = [];
  // A replay of these projections would build rows in another version, which only an operator may promote.
  const outdated = await findOutdated(pool, projections);
  for (const projection of projections) {
    const cutoff = projection.keepsFrom?.(Date.now(), tripRetentionDays) ?? null;
    if (cutoff === null || outdated.includes(projection.name)) continue;
    if (!(await hasRowsBefore(pool, projection, cutoff))) continue;
    try {
      const request = {
        projection: projection.name,
        promote: true,
        throttle: 'auto',
        cutoff,
        requestedBy: REQUESTED_BY,
      } as const;
      const { id, created } = await startReplay(pool, projections, request);
      if (created) started.push(id);
    } catch (error) {
      // Another replay of this projection is running, so this one has to wait for the next run of retention.
      if (!(error instanceof ReplayRefusedError)) throw error;
    }
  }
  const dropping = await findExpired(pool, replacedGenerationDays);
  for (const id of dropping) await dropReplay(pool, id);
  return { started, dropping };
}
