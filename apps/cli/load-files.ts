import { setTimeout as delay } from 'node:timers/promises';
import type { AppendCounts } from '@milepost/event-log';
import { ingestFiles, RefusedFileError, UnpackError } from '@milepost/ingest/files';
import {
  nullable,
  number,
  type Pool,
  query,
  ROLES,
  type RowOf,
  retryTransientErrors,
  statement,
  text,
} from '@milepost/postgres';
import { retryTeller, withProgressBar } from './progress.ts';

const POLL_MILLISECONDS = 50;
const LONGEST_STANDSTILL_MILLISECONDS = 30_000;

interface WaitOptions {
  signal: AbortSignal;
  /** Told of the lowest checkpoint. */
  onProgress?: (checkpoint: number) => void;
  longestStandstillMilliseconds?: number;
}

const LOWEST_CHECKPOINT = statement('lowest-checkpoint', { checkpoint: nullable(number), failure: nullable(text) })`
  SELECT min(checkpoint) AS checkpoint, max(failure) AS failure FROM projection.generation WHERE live`;

async function lowestCheckpoint(pool: Pool): Promise<RowOf<typeof LOWEST_CHECKPOINT>> {
  const [lowest] = await query(pool, LOWEST_CHECKPOINT);
  return lowest ?? { checkpoint: null, failure: null };
}

/**
 * Resolves when the read tables show the log up to `position`.
 *
 * @param pool connections in the operator's role
 * @throws Error when a projection stands still at a stored event it cannot apply, or when no checkpoint moves for 30 s
 */
async function waitForReadTables(pool: Pool, position: number, options: WaitOptions): Promise<void> {
  const longest = options.longestStandstillMilliseconds ?? LONGEST_STANDSTILL_MILLISECONDS;
  let last = -1;
  let movedAt = performance.now();
  for (;;) {
    options.signal.throwIfAborted();
    const { signal } = options;
    const { checkpoint, failure } = await retryTransientErrors(() => lowestCheckpoint(pool), {
      signal,
    });
    const reached = checkpoint ?? 0;
    options.onProgress?.(reached);
    if (reached >= position) return;
    if (failure !== null) throw new Error(failure);
    if (reached !== last) movedAt = performance.now();
    last = reached;
    if (performance.now() - movedAt > longest) {
      throw new Error(
        `The read tables stand at position ${reached} of ${position} and have not moved for ${Math.round(longest / 1000)} s: is a projector running?`,
      );
    }
    await delay(POLL_MILLISECONDS, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
  }
}

/** Opens a pool in a role, runs the work and closes the pool. */
export type WithPool = <Result>(
  role: (typeof ROLES)['ingest' | 'operator'],
  work: (pool: Pool) => Promise<Result>,
) => Promise<Result>;

/** The error, with the command that goes on from it, where there is one. */
function withRemedy(error: unknown): unknown {
  if (error instanceof RefusedFileError) {
    const remedy = `\`milepost validate ${error.file}\` tells all that is wrong; with --force each becomes a dead letter.`;
    return new Error(`${error.message} ${remedy}`, { cause: error });
  }
  if (!(error instanceof Error && error.cause instanceof UnpackError)) return error;
  return new Error(`${error.message} \`${error.cause.command} | milepost ingest -\` reads the rest.`, { cause: error });
}

/**
 * Ingests files with a progress bar and returns what became of their records and where the log ends.
 *
 * @param force whether to go on with a file that begins with nothing but refused records
 */
export async function loadFiles(
  withPool: WithPool,
  files: string[],
  signal: AbortSignal,
  force = false,
): Promise<{ counts: AppendCounts; headPosition: number }> {
  const onRetry = retryTeller('The database does not take the records at the moment');
  return await withProgressBar('Ingesting', 'B', async (update) => {
    const onProgress = ({ bytesRead, totalBytes }: { bytesRead: number; totalBytes: number | null }) =>
      update(bytesRead, totalBytes);
    return await withPool(ROLES.ingest, (pool) =>
      ingestFiles({ pool, files, signal, force, onProgress, onRetry }).catch((error: unknown) => {
        throw withRemedy(error);
      }),
    );
  });
}

/** Waits with a progress bar until the read tables show the log up to `position`. */
export async function showInReadTables(withPool: WithPool, position: number, signal: AbortSignal): Promise<void> {
  await withProgressBar('Applying', ' stored events', async (update) => {
    const onProgress = (checkpoint: number) => update(Math.min(checkpoint, position), position);
    await withPool(ROLES.operator, (pool) => waitForReadTables(pool, position, { signal, onProgress }));
  });
}
