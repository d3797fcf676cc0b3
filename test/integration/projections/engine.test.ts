import { setImmediate as nextTurn } from 'node:timers/promises';
import { ROLES } from '@milepost/postgres';
import { type PositionRange, ProjectionFailedError, prepareGenerations } from '@milepost/projections/engine';
import { expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { recordFailure } from '../../../packages/core/projections/engine/checkpoints.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { positionsProjection, upTo } from '../../support/fold.ts';
import { whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, openPool, projectAll } from '../../support/pipeline.ts';
import { startProjector } from '../../support/projector.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const FAULT = new Error('no such figure');

describeWithPostgres('the projection engine', () => {
  const pipeline = perTest(async () =>
    Object.assign(await openPipeline([]), { one: positionsProjection('one'), other: positionsProjection('other') }),
  );
  let revision = 0;

  const grow = async (records: number) =>
    await deliver(
      pipeline.ingest,
      upTo(records).map(() => tripProcessed({ revision: ++revision })),
    );

  /** Prepares `one` and `other`, or only `one`, and stores records. */
  async function prepare(records: number, { alone = false } = {}) {
    const { one, other } = pipeline;
    const projections = alone ? [one.projection] : [one.projection, other.projection];
    await prepareGenerations(pipeline.projector, projections);
    await grow(records);
    return { one, other, projections };
  }

  const positions = async (name: string) =>
    (await pipeline.rows<{ position: number }>(`SELECT position FROM ${name} ORDER BY 1`)).map((row) => row.position);
  const generations = async () =>
    await pipeline.rows(
      'SELECT projection, checkpoint, failed_position, failure FROM generation ORDER BY projection, generation',
    );
  const none = { failed_position: null, failure: null };
  const at = (projection: string, checkpoint: number) => ({ projection, checkpoint, ...none });

  it('applies every position once and advances all checkpoints with their rows', async () => {
    const { one, projections } = await prepare(0);
    expect(await advance(pipeline.projector, projections, 4)).toEqual({ after: 0, through: 0 });
    await grow(10);
    expect(await advance(pipeline.projector, projections, 4)).toEqual({ after: 0, through: 4 });
    expect(await generations()).toEqual([at('one', 4), at('other', 4)]);
    await projectAll(pipeline, projections, () => 4);
    expect(await positions('one')).toEqual(upTo(10));
    expect(await positions('other')).toEqual(upTo(10));
    expect(one.applied).toEqual([
      { after: 0, through: 4 },
      { after: 4, through: 8 },
      { after: 8, through: 10 },
    ]);
  });

  it('stops exactly before a stored event that a fold cannot apply, after applying all earlier events', async () => {
    const { other, projections } = await prepare(10);
    other.breakAt(7, FAULT);
    const stopped = await projectAll(pipeline, projections, () => 4).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(ProjectionFailedError);
    expect(stopped).toMatchObject({ projection: 'other', position: 7 });
    expect(String(stopped)).toContain('no such figure');
    expect(await generations()).toEqual([at('one', 6), at('other', 6)]);
    expect(await positions('one')).toEqual(upTo(6));
    expect(await positions('other')).toEqual(upTo(6));
    other.mend();
    await projectAll(pipeline, projections, () => 4);
    expect(await positions('other')).toEqual(upTo(10));
  });

  it('records the position and cause of a failure, and clears them when it continues', async () => {
    const { one, projections } = await prepare(5, { alone: true });
    const kept = await pipeline.rows(
      `INSERT INTO generation (projection, generation, version, live) VALUES ('one', 2, 1, false)
       RETURNING projection, checkpoint, failed_position, failure`,
    );
    one.breakAt(3, FAULT);
    const projector = startProjector(pipeline.projector, projections);
    const failure = 'Projection one cannot apply the stored event at position 3: no such figure';
    // No failure is recorded for the kept generation, because nothing would ever clear the failure.
    await expect
      .poll(generations)
      .toEqual([{ projection: 'one', checkpoint: 2, failed_position: 3, failure }, ...kept]);
    await projector.stop();
    expect(projector.failures[0]?.message).toBe(failure);
    one.mend();
    await projectAll(pipeline, projections);
    expect(await generations()).toEqual([at('one', 5), ...kept]);
  });

  it('discards the plans of the next batch’s connection each time the log doubles or is no longer empty', async () => {
    const pool = untilTestEnds(openPool(pipeline.url, ROLES.projector, 1));
    const spied = Promise.withResolvers<MockInstance>();
    pool.once('connect', (client) => spied.resolve(vi.spyOn(client, 'query')));
    const { projection } = pipeline.one;
    await prepareGenerations(pool, [projection]);
    const applied = new Set<number>();
    const onAdvance = ({ through }: PositionRange) => void applied.add(through);
    const projector = startProjector(pool, [projection], { onAdvance });
    onTestFinished(projector.stop);
    const { calls } = (await spied.promise).mock;
    const discards = () => calls.flatMap(([text], index) => (text === 'DISCARD PLANS' ? [calls[index - 1]?.[0]] : []));
    await expect.poll(() => applied.has(0)).toBe(true);
    for (const [head, expected] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [6, 2],
      [7, 3],
    ] as const) {
      await grow(head - Math.max(...applied));
      await expect.poll(() => applied.has(head)).toBe(true);
      await expect.poll(discards).toEqual(Array.from({ length: expected }, () => 'BEGIN'));
    }
  });

  it('reports a transient error as such, and blames no stored event', async () => {
    const { one, projections } = await prepare(3, { alone: true });
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    one.breakAt(2, deadlock);
    await expect(advance(pipeline.projector, projections, 10)).rejects.toBe(deadlock);
    expect(await generations()).toEqual([at('one', 0)]);
    expect(await positions('one')).toEqual([]);
  });

  it('blames the projection whose statement failed, not one whose later statement was not sent', async () => {
    const { one: waiting, other: failing, projections } = await prepare(1);
    const { apply } = waiting.projection;
    const failed = Promise.withResolvers<void>();
    waiting.projection.apply = async (...values) => {
      await failed.promise;
      await apply(...values);
    };
    // After this statement has failed, the other projection's statement is skipped, and the error about the skipped
    // statement comes first.
    failing.projection.apply = async (transaction) => {
      await transaction
        .run('SELECT 1 / 0')
        .finally(failed.resolve)
        .finally(() => nextTurn());
    };
    await expect(advance(pipeline.projector, projections, 1)).rejects.toMatchObject({
      name: 'ProjectionFailedError',
      projection: 'other',
      message: 'Projection other cannot apply the stored event at position 1: division by zero',
    });
    expect(await generations()).toEqual([at('one', 0), at('other', 0)]);
  });

  it('halves a failed batch in as few attempts as possible, and reports only batches that it commits', async () => {
    const { one: sound, other: failing, projections } = await prepare(9);
    failing.breakAt(3, FAULT);
    const reported: string[] = [];
    const step = async (batchSize: number) =>
      await advance(pipeline.projector, projections, batchSize, ({ projection, events, milliseconds }) => {
        reported.push(`${projection} ${events} ${milliseconds >= 0}`);
      });
    expect(await step(9)).toEqual({ after: 0, through: 2 });
    expect(sound.applied.map(({ through }) => through)).toEqual([9, 4, 2]);
    expect(reported.splice(0)).toEqual(['one 2 true', 'other 2 true']);
    failing.mend();
    expect(await step(3)).toEqual({ after: 2, through: 5 });
    expect(reported).toEqual(['one 3 true', 'other 3 true']);
  });

  it('ends with the error if a projection was not prepared', async () => {
    const { running } = startProjector(pipeline.projector, [positionsProjection('unprepared').projection]);
    await expect(running).rejects.toThrow('Projection unprepared has no live generation: it has not been prepared.');
  });

  it('records no failure after it has been told to stop, and ends without an error', async () => {
    const { one, projections } = await prepare(1, { alone: true });
    one.breakAt(1, FAULT);
    const projector = startProjector(pipeline.projector, projections, { onFailure: () => void projector.stop() });
    await projector.running;
    expect(await generations()).toEqual([at('one', 0)]);
  });

  it('halves a batch that exceeds the statement timeout, so that it does not fail permanently', async () => {
    const { one: slow, projections } = await prepare(10, { alone: true });
    const { apply } = slow.projection;
    slow.projection.apply = async (transaction, range, table) => {
      if (range.through - range.after > 2) {
        await transaction.run('SET LOCAL statement_timeout = 10');
        await transaction.run('SELECT pg_sleep(60)');
      }
      await apply(transaction, range, table);
    };
    await projectAll(pipeline, projections, () => 8);
    expect(await positions('one')).toEqual(upTo(10));
  });

  it.each([{ changed: ['one'] }, { changed: ['other'] }, { changed: ['one', 'other'] }])(
    'rolls a batch back and repeats it when checkpoints have changed since they were read: $changed',
    async ({ changed }) => {
      const { one, other, projections } = await prepare(3);
      const list = changed.map((name) => `'${name}'`).join();
      const { apply } = one.projection;
      one.projection.apply = async (transaction, range, table) => {
        await apply(transaction, range, table);
        if (one.applied.length > 1) return;
        await transaction.run(`UPDATE generation SET checkpoint = checkpoint + 1 WHERE projection IN (${list})`);
      };
      expect(await advance(pipeline.projector, projections, 10)).toEqual({ after: 0, through: 3 });
      expect([one.applied.length, other.applied.length]).toEqual([2, 2]);
      expect([await positions('one'), await positions('other')]).toEqual([upTo(3), upTo(3)]);
      expect(await generations()).toEqual([at('one', 3), at('other', 3)]);
    },
  );

  it('lets two projectors advance concurrently without a lost or repeated position', async () => {
    const { one, projections } = await prepare(40, { alone: true });
    const other = untilTestEnds(openPool(pipeline.url, ROLES.projector));
    // The lock is held until both projectors wait for it, so neither can finish before the other begins.
    await whileLocked(pipeline.owner, 'SELECT FROM generation FOR UPDATE', 2, async () => {
      const project = [pipeline.projector, other].map((projector) => projectAll({ projector }, projections, () => 3));
      await Promise.all(project);
    });
    expect(await positions('one')).toEqual(upTo(40));
    // The second projector waits for the lock instead of applying a batch that would then be rolled back.
    expect(one.applied.reduce((sum, { after, through }) => sum + through - after, 0)).toBe(40);
  });

  it('advances the generation that a promotion has made live while the projector was waiting for it', async () => {
    const { projections } = await prepare(3, { alone: true });
    await pipeline.owner.query(`
      CREATE TABLE one_2 (LIKE one_1); ALTER TABLE one_2 OWNER TO milepost_projector;
      INSERT INTO generation (projection, generation, version) VALUES ('one', 2, 1)`);
    const promote = 'UPDATE generation SET live = generation = 2';
    const advanced = await whileLocked(pipeline.owner, promote, 1, async () =>
      advance(pipeline.projector, projections, 10),
    );
    expect(advanced).toMatchObject({ through: 3 });
    expect([await positions('one_1'), await positions('one_2')]).toEqual([[], upTo(3)]);
  });

  it('catches a new projection up from the start, and then advances all projections together', async () => {
    const { one: old, projections } = await prepare(10, { alone: true });
    await projectAll(pipeline, projections);
    const { projections: both } = await prepare(2);
    const ranges: PositionRange[] = [];
    for (let index = 0; index < 4; index += 1) ranges.push(await advance(pipeline.projector, both, 6));
    expect(ranges).toEqual([
      { after: 0, through: 6 },
      { after: 6, through: 10 },
      { after: 10, through: 12 },
      { after: 12, through: 12 },
    ]);
    expect(old.applied).toEqual([
      { after: 0, through: 10 },
      { after: 10, through: 12 },
    ]);
    expect(await positions('other')).toEqual(upTo(12));
    expect(await generations()).toEqual([at('one', 12), at('other', 12)]);
  });

  it('records a version mismatch for operators, and meanwhile advances nothing', async () => {
    await prepare(2, { alone: true });
    const projector = startProjector(pipeline.projector, [positionsProjection('one', 2).projection]);
    const failure = expect.stringContaining('live at version 1, but this program has version 2');
    await expect.poll(generations).toMatchObject([{ checkpoint: 0, failed_position: null, failure }]);
    await projector.stop();
  });

  it('records no failure for a version that a promotion has replaced, because nothing would clear it', async () => {
    await prepareGenerations(pipeline.projector, [positionsProjection('one', 2).projection]);
    const late = new ProjectionFailedError({ name: 'one', version: 1 }, 1, FAULT);
    await recordFailure(pipeline.projector, late);
    expect(await generations()).toEqual([at('one', 0)]);
  });

  it('prepares each first generation once if ten processes start together', async () => {
    const projections = [pipeline.one.projection, pipeline.other.projection];
    const pools = upTo(10).map(() => untilTestEnds(openPool(pipeline.url, ROLES.projector, 1)));
    await Promise.all(pools.map((pool) => prepareGenerations(pool, projections)));
    expect(await generations()).toEqual([at('one', 0), at('other', 0)]);
    await grow(2);
    await projectAll(pipeline, projections);
    expect((await pipeline.api.query('SELECT position FROM one ORDER BY 1')).rows).toHaveLength(2);
  });
});
