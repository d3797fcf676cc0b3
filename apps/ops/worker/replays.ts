import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { findRunnable, type RunReplayOptions, runReplay } from '@milepost/replay';
import { type Logger, messageOf } from '@milepost/service';
import type { JobQueue } from '../queue/index.ts';

/** The interval at which the worker polls for replays without a job or a worker. */
const POLL_MILLISECONDS = 2_000;
/** How many chunks of an unthrottled replay run at the same time. More would need more processors for PostgreSQL. */
const WORKERS = 3;

interface ReplayRunner {
  /** Runs a replay until it ends or needs an operator. Returns immediately when another worker runs the replay. */
  run(id: number): Promise<void>;
  /** Runs all replays that have no worker, until the signal aborts. */
  poll(queue: JobQueue): Promise<void>;
}

/** @param pool connections in the projector's role, without a statement timeout */
export function createReplayRunner(pool: Pool, logger: Logger, signal: AbortSignal, lane?: number): ReplayRunner {
  const running = new Map<number, Promise<void>>();
  /** The runnable replays of the previous poll. */
  let waiting = new Set<number>();
  const options: RunReplayOptions = {
    signal,
    workers: WORKERS,
    // The error is not logged, because it may identify a driver, and an erasure cannot change the log of a process.
    onPhase: ({ id, projection, phase, halted }) =>
      logger[halted === 'failed' ? 'error' : 'info'](
        { replay: id, projection, phase, halted },
        `replay ${id}: ${halted ?? phase}`,
      ),
    onRetry: (error, delay_milliseconds) =>
      logger.warn({ reason: messageOf(error), delay_milliseconds }, 'replay: retrying'),
  };

  async function runHere(id: number): Promise<void> {
    try {
      await runReplay(pool, PROJECTIONS, id, options);
    } catch {
      if (!signal.aborted)
        logger.error({ replay: id }, `replay ${id} failed: \`milepost replay show ${id}\` shows the error`);
    } finally {
      running.delete(id);
    }
  }

  async function run(id: number): Promise<void> {
    const replay = running.get(id) ?? runHere(id);
    running.set(id, replay);
    await replay;
  }

  async function pollOnce(queue: JobQueue): Promise<void> {
    const runnable = await findRunnable(pool);
    const overdue = waiting;
    waiting = new Set(runnable);
    for (const id of runnable) {
      if (running.has(id)) continue;
      // The replay may still have a job of a dead worker. For a while, the queue neither gives this job to another
      // worker nor accepts a second one, so the replay is started directly.
      if (overdue.has(id)) {
        void run(id);
        continue;
      }
      const added = await Promise.race([
        queue.add({ kind: 'replay', id, lane }).then(() => true),
        delay(POLL_MILLISECONDS, false, { signal, ref: false }),
      ]).catch(() => false);
      // If the queue is unavailable, the replay is also started directly.
      if (!added) void run(id);
    }
  }

  return {
    run,
    async poll(queue) {
      while (!signal.aborted) {
        await pollOnce(queue).catch((error: unknown) => options.onRetry?.(error, POLL_MILLISECONDS));
        await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => {});
      }
      await Promise.all(running.values());
    },
  };
}
