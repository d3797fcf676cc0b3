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

/** Who asks, in the list of replays. */
const REQUESTED_BY = 'retention';

export interface RetentionOptions {
  /** Null: trips are kept for ever. */
  tripRetentionDays: number | null;
  /** How long generations are kept for a roll back. */
  replacedGenerationDays: number;
}

interface RetentionOutcome {
  /** Replays that leave old rows out, begun now. */
  started: number[];
  /** Replays whose replaced generations are dropped now. */
  dropping: number[];
}

/**
 * Leaves rows out that nobody can ask for any more, by replaying a read table from its cutoff on: it is verified against
 * the live one for all the days that stay, and promoted. Then drops generations that were kept long enough.
 *
 * @param pool connections in the projector's role
 */
export async function runRetention(
  pool: Pool,
  projections: readonly Projection[],
  { tripRetentionDays, replacedGenerationDays }: RetentionOptions,
): Promise<RetentionOutcome> {
  const started: number[] = [];
  // Their replay would bring another version's rows, which are for an operator to promote.
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
      // Somebody replays it at this moment; the next run finds the rows again.
      if (!(error instanceof ReplayRefusedError)) throw error;
    }
  }
  const dropping = await findExpired(pool, replacedGenerationDays);
  for (const id of dropping) await dropReplay(pool, id);
  return { started, dropping };
}
