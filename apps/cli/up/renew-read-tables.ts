import { nextAfter, refusalSentence } from '@milepost/operations/refusals';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { ALL, findOutdated, ReplayRefusedError, startReplay } from '@milepost/replay';
import { withNext } from '../client/command-line.ts';
import type { WithPool } from '../database.ts';

/**
 * Starts a replay of all projections if this release contains a new version of any of them. The projector then stops
 * until the replay is promoted. In the meantime, the API returns data from the live tables.
 */
export async function renewReadTables(withPool: WithPool, say: (line: string) => void): Promise<void> {
  await withPool(ROLES.operator, async (pool) => {
    const outdated = await findOutdated(pool, PROJECTIONS);
    if (outdated.length === 0) return;
    const request = { projection: ALL, promote: true, throttle: 'auto', requestedBy: 'milepost up' } as const;
    try {
      const { id } = await startReplay(pool, PROJECTIONS, request);
      say(
        `This release rebuilds ${outdated.join(', ')} from the log. The API uses the old tables until the replay ends: \`npx milepost replay watch ${id}\`.`,
      );
    } catch (error) {
      if (!(error instanceof ReplayRefusedError)) throw error;
      const reason = { code: 'replay_refused', reason: error.refusal } as const;
      const sentence = await withNext(refusalSentence(reason), nextAfter(reason));
      say(`${outdated.join(', ')} must be replayed for this release. ${sentence}`);
    }
  });
}
