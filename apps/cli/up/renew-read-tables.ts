import { asCommand } from '@milepost/operations/mention';
import { refusalSentence } from '@milepost/operations/replays/refusals';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { ALL, findOutdated, ReplayRefusedError, startReplay } from '@milepost/replay';
import type { WithPool } from '../load-files.ts';

/**
 * After an update that changed a projection's version the projector stands still until the read tables are replayed.
 * Where everything runs in one place nobody else would see to it, so the replay is asked for here; the tables that are
 * there go on answering meanwhile.
 */
export async function renewReadTables(withPool: WithPool, say: (line: string) => void): Promise<void> {
  await withPool(ROLES.operator, async (pool) => {
    const outdated = await findOutdated(pool, PROJECTIONS);
    if (outdated.length === 0) return;
    const request = { projection: ALL, promote: true, throttle: 'auto', requestedBy: 'milepost up' } as const;
    const id = await startReplay(pool, PROJECTIONS, request).then(
      (replay) => replay.id,
      (error: unknown) => {
        if (!(error instanceof ReplayRefusedError)) throw error;
        say(`${outdated.join(', ')} must be replayed for this release. ${refusalSentence(error.refusal, asCommand)}`);
        return null;
      },
    );
    if (id === null) return;
    say(
      `This release builds ${outdated.join(', ')} anew from the log; answers are those of before until it is done: \`npx milepost replay watch ${id}\`.`,
    );
  });
}
