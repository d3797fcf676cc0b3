import { ROLES, type Transaction } from '@milepost/postgres';
import {
  byPosition,
  type PositionRange,
  type Projection,
  ProjectionVersionError,
  prepareGenerations,
} from '@milepost/projections/engine';
import { expect, it } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { history } from '../../support/faults/history.ts';
import { leftovers } from '../../support/faults/reference.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { positionsProjection, upTo } from '../../support/fold.ts';
import { deliver, openPool, projectAll } from '../../support/pipeline.ts';
import { describeWithOwnLog } from '../../support/pipeline-suites.ts';
import { startProjector } from '../../support/projector.ts';
import { replaysOf } from '../../support/replay.ts';

/** Returns a different version of the projection, which lists the same positions as negative numbers. */
function negated({ projection }: ReturnType<typeof positionsProjection>): Projection {
  const apply = async (transaction: Transaction, range: PositionRange, table: string) =>
    await transaction.run(`INSERT INTO ${table} SELECT -generate_series(${range.after + 1}, ${range.through})`);
  const stages = [byPosition(7, async (transaction, range, { table }) => await apply(transaction, range, table))];
  return { ...projection, version: 2, apply, fill: { ...projection.fill, stages } };
}

describeWithOwnLog('replays alongside projectors', (pipeline) => {
  /** Runs a projector with a pool of its own. */
  const start = (...projections: Projection[]) => {
    const pool = untilTestEnds(openPool(pipeline.url, ROLES.projector, 2));
    return startProjector(pool, projections, { batchSize: 9, pollMilliseconds: 1 });
  };

  async function positions(table: string): Promise<number[]> {
    const rows = await pipeline.rows<{ position: number }>(`SELECT position FROM ${table} ORDER BY abs(position)`);
    return rows.map((row) => row.position);
  }

  const untilAt = async (position: number) =>
    await expect
      .poll(() => pipeline.rows('SELECT min(checkpoint) AS checkpoint FROM generation WHERE live'))
      .toEqual([{ checkpoint: position }]);

  it('lose no position and repeat none while two projectors run, across promotions and rollbacks', async () => {
    const [one, other] = [positionsProjection('one', 1, 7), positionsProjection('other', 1, 7)];
    const both = [one.projection, other.projection];
    await prepareGenerations(pipeline.projector, both);
    await deliver(pipeline.ingest, history(1, 60));
    const projectors = [start(...both), start(...both)];
    const worker = replaysOf(pipeline, both);
    let head = 0;
    await worker.startAndRun({ projection: 'all', promote: true });
    for (const round of upTo(15)) {
      // Stored events are appended between a promotion and its rollback, some of them during the replay.
      const appending = deliver(pipeline.ingest, history(1_000 * round, 1_000 * round + 5));
      expect((await worker.outcome(await worker.startRollBack('all'))).phase).toBe('promoted');
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
    const newer = start(changed);
    const older = start(old.projection);
    const worker = replaysOf(pipeline, [changed]);
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
