import type { JobMetrics } from '@milepost/metrics/jobs';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { findRunnable, type RunReplayOptions, runReplay } from '@milepost/replay';
import { type Logger, messageOf } from '@milepost/service';

/**
 * How many chunks of an unthrottled replay run at once. More chunks would help only if PostgreSQL had more processors.
 */
const WORKERS = 3;

/** @param pool connections made as the projector role, without a statement timeout */
export function createReplayRunner(pool: Pool, logger: Logger, metrics: JobMetrics, signal: AbortSignal) {
  const running = new Map<number, Promise<void>>();
  const options: RunReplayOptions = {
    signal,
    workers: WORKERS,
    // The error is not logged, because it may identify a driver, and an erasure cannot change a process's log.
    onPhase: ({ id, projection, phase, halted }) =>
      logger[halted === 'failed' ? 'error' : 'info'](
        { replay: id, projection, phase, halted },
        `Replay ${id}: ${halted ?? phase}.`,
      ),
    onRetry: (error, delay_milliseconds) =>
      logger.warn({ reason: messageOf(error), delay_milliseconds }, 'A step of a replay failed: retrying.'),
  };

  async function runHere(id: number): Promise<void> {
    try {
      await metrics.measure('replay', async () => await runReplay(pool, PROJECTIONS, id, options));
    } catch {
      if (!signal.aborted)
        logger.error({ replay: id }, `Replay ${id} failed: \`milepost replay show ${id}\` shows the error.`);
    } finally {
      running.delete(id);
    }
  }

  /** Runs a replay until it ends or needs an operator. Returns immediately when another worker is running it. */
  async function run(id: number): Promise<void> {
    const replay = running.get(id) ?? runHere(id);
    running.set(id, replay);
    await replay;
  }

  return {
    run,
    /** Starts all replays that have no worker. */
    async start() {
      for (const id of await findRunnable(pool)) void run(id);
    },
    /** Resolves when no replay is running in this process. */
    async ended() {
      await Promise.all(running.values());
    },
  };
}
