import type { Transaction } from '@milepost/postgres';
import {
  byPosition,
  type PositionRange,
  type Projection,
  ProjectionVersionError,
  prepareGenerations,
  runProjections,
  WakeUp,
} from '@milepost/projections/engine';
import { rollBack } from '@milepost/replay';
import { expect, it } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { history } from '../../support/faults/history.ts';
import { leftovers } from '../../support/faults/reference.ts';
import { perTest } from '../../support/fixtures.ts';
import { positionsProjection } from '../../support/fold.ts';
import { deliver, openPipeline, openPool, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Returns a different version of the projection, which lists the same positions as negative numbers. */
function negated({ projection }: ReturnType<typeof positionsProjection>): Projection {
  const apply = async (transaction: Transaction, range: PositionRange, table: string) =>
    await transaction.run(`INSERT INTO ${table} SELECT -generate_series(${range.after + 1}, ${range.through})`);
  const stages = [byPosition(7, async (transaction, range, { table }) => await apply(transaction, range, table))];
  return { ...projection, version: 2, apply, fill: { ...projection.fill, stages } };
}

/** Runs a projector in the test's process, like the real projector process, and collects its failures. */
function startProjector(
  pipeline: Pipeline,
  projections: readonly Projection[],
  options: Partial<Parameters<typeof runProjections>[2]> = {},
) {
  const pool = openPool(pipeline.url, 'milepost_projector', 2);
  const stop = new AbortController();
  const failures: Error[] = [];
  const running = runProjections(pool, projections, {
    batchSize: 9,
    signal: stop.signal,
    wakeUp: new WakeUp(),
    pollMilliseconds: 1,
    onAdvance: () => {},
    onFailure: (error) => failures.push(error),
    ...options,
  });
  // `stop` awaits this promise. Until then, its rejection must not count as unhandled.
  running.catch(() => {});
  return {
    failures,
    stop: async () => {
      stop.abort();
      await running.finally(async () => await pool.end());
    },
  };
}

describeWithPostgres('replays alongside projectors', () => {
  const pipeline = perTest(() => openPipeline([]));

  async function positions(table: string): Promise<number[]> {
    const { rows } = await pipeline.owner.query<{ position: number }>(
      `SELECT position FROM ${table} ORDER BY abs(position)`,
    );
    return rows.map((row) => row.position);
  }

  async function untilAt(position: number): Promise<void> {
    const sql = 'SELECT min(checkpoint) AS checkpoint FROM generation WHERE live';
    const checkpoint = async () => (await pipeline.owner.query(sql)).rows[0].checkpoint;
    await expect.poll(checkpoint).toBe(position);
  }

  it('lose no position and repeat none while two projectors run, across promotions and rollbacks', async () => {
    const [one, other] = [positionsProjection('one', 1, 7), positionsProjection('other', 1, 7)];
    const both = [one.projection, other.projection];
    await prepareGenerations(pipeline.projector, both);
    await deliver(pipeline.ingest, history(1, 60));
    const projectors = [startProjector(pipeline, both), startProjector(pipeline, both)];
    const worker = workerOf(pipeline.projector, both);
    let head = 0;
    await worker.startAndRun({ projection: 'all', promote: true });
    for (const round of upTo(15)) {
      // Stored events are appended between a promotion and its rollback, some of them during the replay.
      const appending = deliver(pipeline.ingest, history(1_000 * round, 1_000 * round + 5));
      const back = await rollBack(pipeline.operator, both, { projection: 'all', requestedBy: 'test' });
      await worker.run(back.id);
      expect((await worker.show(back.id)).phase).toBe('promoted');
      head = (await appending).headPosition;
    }
    await untilAt(head);
    for (const projector of projectors) await projector.stop();
    expect(projectors.flatMap(({ failures }) => failures)).toEqual([]);
    for (const { name } of both) expect(await positions(`${name}`), name).toEqual(upTo(head));
    expect(await leftovers(pipeline.owner)).toEqual([]);
  });

  it('promote another version while projectors of both versions advance only their own tables', async () => {
    const old = positionsProjection('changed', 1, 7);
    const changed = negated(old);
    await prepareGenerations(pipeline.projector, [old.projection]);
    await deliver(pipeline.ingest, history(1, 30));
    const newer = startProjector(pipeline, [changed]);
    const older = startProjector(pipeline, [old.projection]);
    const worker = workerOf(pipeline.projector, [changed]);
    const id = await worker.start({ projection: 'changed', promote: true });
    const { headPosition: between } = await deliver(pipeline.ingest, history(100, 120));
    await untilAt(between);
    expect(await positions('changed')).toEqual(upTo(between));
    expect(await worker.outcome(id)).toMatchObject({
      phase: 'promoted',
      verification: { equal: false, expected: true },
    });
    const { headPosition: head } = await deliver(pipeline.ingest, history(200, 220));
    await expect.poll(() => older.failures.length).toBeGreaterThan(0);
    // The newer projector checks again ten seconds after its failure, but a projector that starts now continues
    // immediately.
    await projectAll(pipeline, [changed]);
    await expect(advance(pipeline.projector, [old.projection], 10)).rejects.toThrow(ProjectionVersionError);
    await Promise.all([older.stop(), newer.stop()]);
    expect(await positions('changed')).toEqual(upTo(head).map((position) => -position));
    // The older version's table stays as it was at the promotion, so that the older release can roll back.
    const kept = await positions('changed_1');
    expect(kept).toEqual(upTo(kept.length));
    expect(older.failures[0]?.message).toContain('live at version 2, but this program has version 1');
    expect(newer.failures[0]?.message).toContain('live at version 1, but this program has version 2');
  });
});
