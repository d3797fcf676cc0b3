import type { Pool } from '@milepost/postgres';
import { byPosition, type Fill, type FillStage, type Projection, rangeOf } from '@milepost/projections/engine';
import {
  cancelReplay,
  dropReplay,
  type ReplayView,
  type RunReplayOptions,
  rollBack,
  runReplay,
  showReplay,
  startReplay,
} from '@milepost/replay';
import type { Pipeline } from './pipeline.ts';
import { valuesOf } from './tables.ts';

export const FAST = { promote: false, throttle: 'off', requestedBy: 'test' } as const;

/** Returns the same projections, but with few positions per chunk, so that even small logs have many chunks. */
export function inSmallChunks(projections: readonly Projection[], size: number): Projection[] {
  const inSmall = (fill: Fill): Fill => ({
    ...fill,
    stages: fill.stages.map((stage) =>
      stage.byPosition
        ? byPosition(size, async (transaction, { after, through }, filling) => {
            const chunk = { after: [String(after)], through: [String(through)], events: through - after };
            await stage.run(transaction, chunk, filling);
          })
        : stage,
    ),
  });
  // Projections that share a fill are filled together, so they must also share the fill that replaces it.
  const fills = new Map(projections.map(({ fill }) => [fill, inSmall(fill)]));
  return projections.map((projection) => ({ ...projection, fill: fills.get(projection.fill) ?? projection.fill }));
}

/** Returns the same projection with changed stages in its fill. */
export function withStages(
  projection: Projection,
  change: (stage: FillStage, index: number) => FillStage | FillStage[],
): Projection {
  return { ...projection, fill: { ...projection.fill, stages: projection.fill.stages.flatMap(change) } };
}

/** Returns the same projection, except that in its first stage it calls `before` with each chunk's range. */
export function watchedChunks(
  projection: Projection,
  before: (range: { after: number; through: number }) => Promise<void>,
): Projection {
  return withStages(projection, (stage, index) => ({
    ...stage,
    run: async (transaction, chunk, filling) => {
      if (index === 0) await before(rangeOf(chunk));
      await stage.run(transaction, chunk, filling);
    },
  }));
}

export type Worker = ReturnType<typeof workerOf>;

/** Runs replays as a worker does, in the test's own process. Requests them with `operator`. */
export function workerOf(pool: Pool, projections: readonly Projection[], operator = pool) {
  /** Runs the replay until it no longer needs a worker. */
  const run = async (id: number, options: Partial<RunReplayOptions> = {}): Promise<void> =>
    await runReplay(pool, projections, id, {
      signal: new AbortController().signal,
      workers: 2,
      onPhase: () => {},
      ...options,
    });
  const start = async (request: Partial<Parameters<typeof startReplay>[2]> & { projection: string }): Promise<number> =>
    (await startReplay(operator, projections, { ...FAST, ...request })).id;
  const show = async (id: number): Promise<ReplayView> => await showReplay(pool, projections, id);
  return {
    run,
    start,
    show,
    startAndRun: async (request: Parameters<typeof start>[0]): Promise<number> => {
      const id = await start(request);
      await run(id);
      return id;
    },
    /** Runs the replay until it no longer needs a worker, then shows it. */
    outcome: async (id: number): Promise<ReplayView> => {
      await run(id);
      return await show(id);
    },
    /** Cancels the replay and drops the tables that it built. */
    cancel: async (id: number): Promise<void> => {
      await cancelReplay(operator, id);
      await run(id);
    },
    /** Drops a replay and the generations that it no longer needs. */
    drop: async (id: number): Promise<void> => {
      await dropReplay(operator, id);
      await run(id);
    },
    /** Requests a rollback. Returns its id. */
    startRollBack: async (projection: string): Promise<number> =>
      (await rollBack(operator, projections, { projection, requestedBy: FAST.requestedBy })).id,
  };
}

/** Requests replays in the operator's role, and runs them as a worker does. */
export function replaysOf(
  { operator, projector }: Pick<Pipeline, 'operator' | 'projector'>,
  projections: readonly Projection[],
): Worker {
  return workerOf(projector, projections, operator);
}

/** Lists the projector's tables whose generation does not exist or has been dropped. */
export async function orphanTables({ owner }: Pick<Pipeline, 'owner'>): Promise<string[]> {
  return await valuesOf(
    owner,
    `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tableowner = 'milepost_projector' AND tablename NOT IN (
       SELECT projection || '_' || generation FROM generation WHERE dropped_at IS NULL) ORDER BY 1`,
  );
}

/** Runs a replay until this phase begins. */
export async function runUntil(worker: Pick<Worker, 'run'>, id: number, last: ReplayView['phase']): Promise<void> {
  const stop = new AbortController();
  const onPhase = ({ phase }: { phase: string }) => {
    if (phase === last) stop.abort();
  };
  await worker.run(id, { signal: stop.signal, onPhase }).catch(() => {});
}
