import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, retryPassingFaults } from '@milepost/postgres';

const POLL_MILLISECONDS = 50;
const LONGEST_STANDSTILL_MILLISECONDS = 30_000;

export interface WaitOptions {
  signal: AbortSignal;
  /** Told of the lowest checkpoint. */
  onProgress?: (checkpoint: number) => void;
  longestStandstillMilliseconds?: number;
}

interface LowestCheckpoint {
  checkpoint: number | null;
  failure: string | null;
}

async function lowestCheckpoint(pool: Pool): Promise<LowestCheckpoint> {
  const { rows } = await pool.query<LowestCheckpoint>({
    name: 'lowest-checkpoint',
    text: 'SELECT min(checkpoint) AS checkpoint, max(failure) AS failure FROM projection.generation WHERE live',
  });
  return rows[0] ?? { checkpoint: null, failure: null };
}

/**
 * Resolves when the read tables show the log up to `position`.
 *
 * @param pool connections in the operator's role
 * @throws Error when a projection stands still at a stored event it cannot apply, or when no checkpoint moves for 30 s
 */
export async function waitForReadTables(pool: Pool, position: number, options: WaitOptions): Promise<void> {
  const longest = options.longestStandstillMilliseconds ?? LONGEST_STANDSTILL_MILLISECONDS;
  let last = -1;
  let movedAt = performance.now();
  for (;;) {
    options.signal.throwIfAborted();
    const { signal } = options;
    const { checkpoint, failure } = await retryPassingFaults(() => lowestCheckpoint(pool), {
      signal,
      onFault: () => {},
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
