import { setTimeout as delay } from 'node:timers/promises';
import { cleanUp } from '@milepost/erasure';
import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';

const POLL_MILLISECONDS = 5_000;

/**
 * After each erasure, removes the old versions of the erased rows from the files of a lane, until the signal aborts.
 *
 * @param pool connections in the projector's role, without a statement timeout
 */
export async function pollCleanups(pool: Pool, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const fault = await cleanUp(pool);
      if (fault !== null) logger.error(`Old versions of erased rows remain in the files. ${fault}`);
    } catch (error) {
      if (!signal.aborted) logger.warn({ reason: messageOf(error) }, 'Erased rows could not be vacuumed; retrying.');
    }
    await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
