import { setTimeout as delay } from 'node:timers/promises';
import { asRequest } from '@milepost/operations/mention';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { findRunnable, type RunReplayOptions, runReplay } from '@milepost/replay';
import { type Logger, messageOf } from '@milepost/service';
import type { JobQueue } from '../queue/index.ts';

/** How soon a replay is taken up whose job was lost, or whose worker has died. */
const LOOK_MILLISECONDS = 2_000;
/** Chunks worked on at once without a throttle: one more than cores that PostgreSQL has to spare is of no use. */
const WORKERS = 3;

interface ReplayRunner {
  /** Runs a replay until it rests; at once when this process runs it already, or another one does. */
  run(id: number): Promise<void>;
  /** Sees to replays that nobody has in hand, until the signal aborts. */
  look(queue: JobQueue): Promise<void>;
}

/** @param pool connections in the projector's role, without a limit on statements */
export function createReplayRunner(pool: Pool, logger: Logger, signal: AbortSignal): ReplayRunner {
  const running = new Map<number, Promise<void>>();
  /** What had to wait at the last look. */
  let waiting = new Set<number>();
  const options: RunReplayOptions = {
    signal,
    workers: WORKERS,
    // Without the error, which may name a driver: it is kept where an erasure finds it.
    onPhase: ({ id, projection, phase, halted }) =>
      logger[halted === 'failed' ? 'error' : 'info'](
        { replay: id, projection, phase, halted },
        `replay ${id}: ${halted ?? phase}`,
      ),
    onRetry: (error, delay_milliseconds) =>
      logger.warn({ reason: messageOf(error), delay_milliseconds }, 'replay: trying again'),
  };

  async function runHere(id: number): Promise<void> {
    try {
      await runReplay(pool, PROJECTIONS, id, options);
    } catch {
      if (!signal.aborted)
        logger.error({ replay: id }, `replay ${id} failed: ${asRequest.operation('replay.show', { id })} says why`);
    } finally {
      running.delete(id);
    }
  }

  async function run(id: number): Promise<void> {
    const underWay = running.get(id) ?? runHere(id);
    running.set(id, underWay);
    await underWay;
  }

  async function lookOnce(queue: JobQueue): Promise<void> {
    const runnable = await findRunnable(pool);
    const overdue = waiting;
    waiting = new Set(runnable);
    for (const id of runnable) {
      if (running.has(id)) continue;
      // Its job may be that of a dead worker, which the queue does not give away for a while and takes no other beside.
      if (overdue.has(id)) {
        void run(id);
        continue;
      }
      const added = await Promise.race([
        queue.add({ kind: 'replay', id }).then(() => true),
        delay(LOOK_MILLISECONDS, false, { signal, ref: false }),
      ]).catch(() => false);
      // The queue is only a bell: when it is out of order, replays go on without it.
      if (!added) void run(id);
    }
  }

  return {
    run,
    async look(queue) {
      while (!signal.aborted) {
        await lookOnce(queue).catch((error: unknown) => options.onRetry?.(error, LOOK_MILLISECONDS));
        await delay(LOOK_MILLISECONDS, undefined, { signal }).catch(() => {});
      }
      await Promise.all(running.values());
    },
  };
}
