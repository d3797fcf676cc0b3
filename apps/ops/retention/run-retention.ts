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
import type { RetentionPolicy } from './policies.ts';

/** Who asks, in the list of replays. */
const REQUESTED_BY = 'retention';

export interface RetentionOptions {
  policies: readonly RetentionPolicy[];
  /** How long generations are kept for a roll back. */
  keepReplacedDays: number;
}

export interface RetentionOutcome {
  /** Replays that leave old rows out, begun now. */
  started: number[];
  /** Replays whose replaced generations are dropped now. */
  dropping: number[];
}

/**
 * Leaves rows out that nobody can ask for any more, by replaying a read table from its horizon on: it is verified against
 * the live one for all the days that stay, and promoted. Then drops generations that were kept long enough.
 *
 * @param pool connections in the projector's role
 */
export async function runRetention(
  pool: Pool,
  projections: readonly Projection[],
  { policies, keepReplacedDays }: RetentionOptions,
): Promise<RetentionOutcome> {
  const started: number[] = [];
  // Their replay would bring another version's rows, which are for an operator to promote.
  const outdated = await findOutdated(pool, projections);
  for (const { projection: name, horizon } of policies) {
    const projection = projections.find((candidate) => candidate.name === name);
    if (!projection || outdated.includes(name) || !(await hasRowsBefore(pool, projection, horizon))) continue;
    try {
      const request = {
        projection: name,
        promote: true,
        throttle: 'auto',
        horizon,
        requestedBy: REQUESTED_BY,
      } as const;
      const { id, created } = await startReplay(pool, projections, request);
      if (created) started.push(id);
    } catch (error) {
      // Somebody replays it at this moment; the next run finds the rows again.
      if (!(error instanceof ReplayRefusedError)) throw error;
    }
  }
  const dropping = await findExpired(pool, keepReplacedDays);
  for (const id of dropping) await dropReplay(pool, id);
  return { started, dropping };
}
