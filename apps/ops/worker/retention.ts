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

export interface RetentionOptions {
  /** The number of days for which trips are kept. If null, they are kept forever. */
  tripRetentionDays: number | null;
  /** The number of days for which replaced generations are kept for a rollback. */
  replacedGenerationDays: number;
}

/**
 * Starts a replay of each read table that contains rows before its cutoff, because requests cannot reach such rows. The
 * new generation contains only rows from the cutoff onward, is verified for these days, and is promoted. The function
 * also drops generations that have been kept long enough. Returns the ids of the started replays, and of the replays
 * whose replaced generations will be dropped.
 *
 * @param pool connections made as the projector role
 */
export async function runRetention(
  pool: Pool,
  projections: readonly Projection[],
  { tripRetentionDays, replacedGenerationDays }: RetentionOptions,
) {
  const started: number[] = [];
  // A replay of these projections would build another version, and only an operator may promote another version.
  const outdated = await findOutdated(pool, projections);
  for (const projection of projections) {
    const cutoff = projection.keepsFrom?.(Date.now(), tripRetentionDays) ?? null;
    if (cutoff === null || outdated.includes(projection.name)) continue;
    if (!(await hasRowsBefore(pool, projection, cutoff))) continue;
    try {
      const request = { projection: projection.name, promote: true, throttle: 'auto', cutoff } as const;
      const { id, created } = await startReplay(pool, projections, { ...request, requestedBy: 'retention' });
      if (created) started.push(id);
    } catch (error) {
      // Another replay of this projection is running, so this replay has to wait for the next retention run.
      if (!(error instanceof ReplayRefusedError)) throw error;
    }
  }
  const dropping = await findExpired(pool, replacedGenerationDays);
  for (const id of dropping) await dropReplay(pool, id);
  return { started, dropping };
}
