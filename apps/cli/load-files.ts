import { setTimeout as delay } from 'node:timers/promises';
import type { AppendCounts } from '@milepost/event-log/sources';
import { ingestFiles, RefusedFileError, UnpackError } from '@milepost/ingest/files';
import { openLanes } from '@milepost/ingest/lanes';
import { type Pool, query, ROLES, retryTransientErrors, statement } from '@milepost/postgres';
import type { WithPool } from './database.ts';
import { createRetryReporter, withProgressBar } from './progress.ts';

const POLL_MILLISECONDS = 50;
const MAX_STANDSTILL_MILLISECONDS = 30_000;

const LOWEST_CHECKPOINT = statement('lowest-checkpoint', { checkpoint: 'number?', failure: 'text?' })`
  SELECT min(checkpoint) AS checkpoint, max(failure) AS failure FROM generation WHERE live`;

/**
 * Waits until the read tables reflect the log up to `position`. Throws Error when a projection has stopped, or when no
 * checkpoint moves for 30 s although the database responds.
 */
async function pollReadTables(
  pool: Pool,
  position: number,
  signal: AbortSignal,
  onProgress: (checkpoint: number) => void,
): Promise<void> {
  let last = -1;
  let movedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const [lowest] = await retryTransientErrors(() => query(pool, LOWEST_CHECKPOINT), { signal });
    const { checkpoint, failure } = lowest ?? { checkpoint: null, failure: null };
    // The wait for the response does not count, because the checkpoint may have moved unseen in the meantime.
    movedAt += performance.now() - askedAt;
    const reached = checkpoint ?? 0;
    onProgress(reached);
    if (reached >= position) return;
    if (failure !== null) throw new Error(failure);
    if (reached !== last) movedAt = performance.now();
    last = reached;
    if (performance.now() - movedAt > MAX_STANDSTILL_MILLISECONDS) {
      throw new Error(
        `The read tables are at position ${reached} of ${position} and have not moved for ${MAX_STANDSTILL_MILLISECONDS / 1000} s: is a projector running?`,
      );
    }
    await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Appends a suggested command to an error, if there is one. */
function withRemedy(error: unknown): unknown {
  if (error instanceof RefusedFileError) {
    const remedy = `\`milepost validate ${error.file}\` reports all faults; with --force each refused record becomes a dead letter.`;
    return new Error(`${error.message} ${remedy}`, { cause: error });
  }
  if (!(error instanceof Error && error.cause instanceof UnpackError)) return error;
  return new Error(`${error.message} \`${error.cause.command} | milepost ingest -\` reads the rest.`, { cause: error });
}

/**
 * Ingests files and shows a progress bar. Returns the counts of their records, and the end of each lane's log.
 *
 * @param force whether to continue with a file whose first hundred records are all refused
 */
export async function loadFiles(
  withPool: WithPool,
  files: string[],
  signal: AbortSignal,
  force = false,
): Promise<{ counts: AppendCounts; headPositions: ReadonlyMap<number, number> }> {
  const onRetry = createRetryReporter('The database is currently unable to store the records');
  return await withProgressBar('Ingesting', 'B', async (onProgress) => {
    return await withPool(ROLES.ingest, async (_pool, url) => {
      const opened = openLanes(url, 'milepost-cli');
      try {
        const lanes = await retryTransientErrors(opened.read, { signal, onRetry });
        return await ingestFiles({ lanes, files, signal, force, onProgress, onRetry });
      } catch (error) {
        throw withRemedy(error);
      } finally {
        await opened.end();
      }
    });
  });
}

/** Waits, with a progress bar, until each lane's read tables reflect its log up to the given position. */
export async function waitForReadTables(
  withPool: WithPool,
  positions: ReadonlyMap<number, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const [lane, position] of positions) {
    await withProgressBar('Applying', ' stored events', async (update) => {
      const onProgress = (checkpoint: number) => update(Math.min(checkpoint, position), position);
      await withPool(ROLES.operator, (pool) => pollReadTables(pool, position, signal, onProgress), lane);
    });
  }
}
