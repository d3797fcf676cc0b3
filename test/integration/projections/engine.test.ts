import { setImmediate as nextTurn } from 'node:timers/promises';
import { ROLES } from '@milepost/postgres';
import {
  type PositionRange,
  type Projection,
  ProjectionFailedError,
  prepareGenerations,
  runProjections,
  WakeUp,
} from '@milepost/projections/engine';
import { expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { recordFailure } from '../../../packages/core/projections/engine/checkpoints.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { positionsProjection } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, openPool, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describeWithPostgres('the projection engine', () => {
  const pipeline = perTest(() => openPipeline([]));
  let revision = 0;

  async function grow(records: number): Promise<void> {
    const trips = upTo(records).map(() => {
      revision += 1;
      return tripProcessed({ revision });
    });
    await deliver(pipeline.ingest, trips);
  }

  async function positions(name: string): Promise<number[]> {
    const { rows } = await pipeline.owner.query<{ position: number }>(`SELECT position FROM ${name} ORDER BY 1`);
    return rows.map((row) => row.position);
  }

  async function generations(): Promise<unknown[]> {
    const { rows } = await pipeline.owner.query(
      'SELECT projection, checkpoint, failed_position, failure FROM generation ORDER BY projection, generation',
    );
    return rows;
  }
  const at = (projection: string, checkpoint: number) => ({
    projection,
    checkpoint,
    failed_position: null,
    failure: null,
  });

  /** Runs one projection until the signal aborts. */
  const runAlone = async (
    projection: Projection,
    signal: AbortSignal,
    onFailure: (error: Error) => void = () => {},
    pool = pipeline.projector,
    onAdvance: (range: PositionRange) => void = () => {},
  ) => {
    const wakeUp = new WakeUp();
    const options = { batchSize: 100, signal, wakeUp, pollMilliseconds: 10, onAdvance, onFailure };
    await runProjections(pool, [projection], options);
  };

  it('applies every position once and advances all checkpoints with their rows', async () => {
    const [one, other] = [positionsProjection('one'), positionsProjection('other')];
    const projections = [one.projection, other.projection];
    await prepareGenerations(pipeline.projector, projections);
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
    const [sound, failing] = [positionsProjection('a_sound'), positionsProjection('b_failing')];
    const projections = [sound.projection, failing.projection];
    await prepareGenerations(pipeline.projector, projections);
    await grow(10);
    failing.breakAt(7, new Error('no such figure'));
    const stopped = await projectAll(pipeline, projections, () => 4).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(ProjectionFailedError);
    expect(stopped).toMatchObject({ projection: 'b_failing', position: 7 });
    expect(String(stopped)).toContain('no such figure');
    expect(await generations()).toEqual([at('a_sound', 6), at('b_failing', 6)]);
    expect(await positions('a_sound')).toEqual(upTo(6));
    expect(await positions('b_failing')).toEqual(upTo(6));
    failing.mend();
    await projectAll(pipeline, projections, () => 4);
    expect(await positions('b_failing')).toEqual(upTo(10));
  });

  it('records the position and cause of a failure, and clears them when it continues', async () => {
    const failing = positionsProjection('failing');
    await prepareGenerations(pipeline.projector, [failing.projection]);
    const kept = await pipeline.owner.query(
      `INSERT INTO generation (projection, generation, version, live) VALUES ('failing', 2, 1, false)
       RETURNING projection, checkpoint, failed_position, failure`,
    );
    await grow(5);
    failing.breakAt(3, new Error('no such figure'));
    const stop = new AbortController();
    const failed = Promise.withResolvers<Error>();
    const running = runAlone(failing.projection, stop.signal, (error) => failed.resolve(error));
    const { message } = await failed.promise;
    // No failure is recorded for the kept generation, because nothing would ever clear the failure.
    await expect
      .poll(generations)
      .toEqual([{ projection: 'failing', checkpoint: 2, failed_position: 3, failure: message }, ...kept.rows]);
    stop.abort();
    await running;
    expect(message).toBe('Projection failing cannot apply the stored event at position 3: no such figure');
    failing.mend();
    await projectAll(pipeline, [failing.projection]);
    expect(await generations()).toEqual([at('failing', 5), ...kept.rows]);
  });

  it('discards the plans of the next batch’s connection each time the log doubles or is no longer empty', async () => {
    const { projection } = positionsProjection('planned');
    const pool = untilTestEnds(openPool(pipeline.url, ROLES.projector, 1));
    const spied = Promise.withResolvers<MockInstance>();
    pool.once('connect', (client) => spied.resolve(vi.spyOn(client, 'query')));
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await prepareGenerations(pool, [projection]);
    const applied = new Set<number>();
    const running = runAlone(
      projection,
      stop.signal,
      () => {},
      pool,
      ({ through }) => void applied.add(through),
    );
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
    stop.abort();
    await running;
  });

  it('reports a transient error as such, and blames no stored event', async () => {
    const failing = positionsProjection('failing');
    await prepareGenerations(pipeline.projector, [failing.projection]);
    await grow(3);
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    failing.breakAt(2, deadlock);
    await expect(advance(pipeline.projector, [failing.projection], 10)).rejects.toBe(deadlock);
    expect(await generations()).toEqual([at('failing', 0)]);
    expect(await positions('failing')).toEqual([]);
  });

  it('blames the projection whose statement failed, not one whose later statement was not sent', async () => {
    const [waiting, failing] = [positionsProjection('a_waiting'), positionsProjection('b_failing')];
    const projections = [waiting.projection, failing.projection];
    await prepareGenerations(pipeline.projector, projections);
    await grow(1);
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
      projection: 'b_failing',
      message: 'Projection b_failing cannot apply the stored event at position 1: division by zero',
    });
    expect(await generations()).toEqual([at('a_waiting', 0), at('b_failing', 0)]);
  });

  it('halves a failed batch in as few attempts as possible, and reports only batches that it commits', async () => {
    const [sound, failing] = [positionsProjection('a_sound'), positionsProjection('b_failing')];
    const projections = [sound.projection, failing.projection];
    await prepareGenerations(pipeline.projector, projections);
    await grow(9);
    failing.breakAt(3, new Error('no such figure'));
    const reported: string[] = [];
    const step = async (batchSize: number) =>
      await advance(pipeline.projector, projections, batchSize, ({ projection, events, milliseconds }) => {
        reported.push(`${projection} ${events} ${milliseconds >= 0}`);
      });
    expect(await step(9)).toEqual({ after: 0, through: 2 });
    expect(sound.applied.map(({ through }) => through)).toEqual([9, 4, 2]);
    expect(reported.splice(0)).toEqual(['a_sound 2 true', 'b_failing 2 true']);
    failing.mend();
    expect(await step(3)).toEqual({ after: 2, through: 5 });
    expect(reported).toEqual(['a_sound 3 true', 'b_failing 3 true']);
  });

  it('ends with the error if a projection was not prepared', async () => {
    const running = runAlone(positionsProjection('unprepared').projection, new AbortController().signal);
    await expect(running).rejects.toThrow('Projection unprepared has no live generation: it has not been prepared.');
  });

  it('records no failure after it has been told to stop, and ends without an error', async () => {
    const failing = positionsProjection('failing');
    await prepareGenerations(pipeline.projector, [failing.projection]);
    await grow(1);
    failing.breakAt(1, new Error('no such figure'));
    const stop = new AbortController();
    await runAlone(failing.projection, stop.signal, () => stop.abort());
    expect(await generations()).toEqual([at('failing', 0)]);
  });

  it('halves a batch that exceeds the statement timeout, so that it does not fail permanently', async () => {
    const slow = positionsProjection('slow');
    const { apply } = slow.projection;
    slow.projection.apply = async (transaction, range, table) => {
      if (range.through - range.after > 2) {
        await transaction.run('SET LOCAL statement_timeout = 10');
        await transaction.run('SELECT pg_sleep(60)');
      }
      await apply(transaction, range, table);
    };
    await prepareGenerations(pipeline.projector, [slow.projection]);
    await grow(10);
    await projectAll(pipeline, [slow.projection], () => 8);
    expect(await positions('slow')).toEqual(upTo(10));
  });

  it.each([{ changed: ['one'] }, { changed: ['other'] }, { changed: ['one', 'other'] }])(
    'rolls a batch back and repeats it when checkpoints have changed since they were read: $changed',
    async ({ changed }) => {
      const [one, other] = [positionsProjection('one'), positionsProjection('other')];
      const list = changed.map((name) => `'${name}'`).join();
      let interfere = true;
      const interfering = {
        ...one.projection,
        apply: async (...[transaction, range, table]: Parameters<typeof one.projection.apply>) => {
          await one.projection.apply(transaction, range, table);
          if (!interfere) return;
          interfere = false;
          await transaction.run(`UPDATE generation SET checkpoint = checkpoint + 1 WHERE projection IN (${list})`);
        },
      };
      const projections = [interfering, other.projection];
      await prepareGenerations(pipeline.projector, projections);
      await grow(3);
      expect(await advance(pipeline.projector, projections, 10)).toEqual({ after: 0, through: 3 });
      expect([one.applied.length, other.applied.length]).toEqual([2, 2]);
      expect([await positions('one'), await positions('other')]).toEqual([upTo(3), upTo(3)]);
      expect(await generations()).toEqual([at('one', 3), at('other', 3)]);
    },
  );

  it('lets two projectors advance concurrently without a lost or repeated position', async () => {
    const fake = positionsProjection('fake');
    await prepareGenerations(pipeline.projector, [fake.projection]);
    await grow(40);
    const other = untilTestEnds(openPool(pipeline.url, ROLES.projector));
    const waiting = () => lockWaiters(pipeline.owner, 2);
    // The lock is held until both projectors wait for it, so neither can finish before the other begins.
    await whileLocked(pipeline.owner, 'SELECT FROM generation FOR UPDATE', waiting, async () => {
      const batch = () => 3;
      await Promise.all([
        projectAll(pipeline, [fake.projection], batch),
        projectAll({ projector: other }, [fake.projection], batch),
      ]);
    });
    expect(await positions('fake')).toEqual(upTo(40));
    // The second projector waits for the lock instead of applying a batch that would then be rolled back.
    expect(fake.applied.reduce((sum, { after, through }) => sum + through - after, 0)).toBe(40);
  });

  it('advances the generation that a promotion has made live while the projector was waiting for it', async () => {
    const fake = positionsProjection('fake');
    await prepareGenerations(pipeline.projector, [fake.projection]);
    await pipeline.owner.query(`
      CREATE TABLE fake_2 (LIKE fake_1); ALTER TABLE fake_2 OWNER TO milepost_projector;
      INSERT INTO generation (projection, generation, version) VALUES ('fake', 2, 1)`);
    await grow(3);
    const promote = 'UPDATE generation SET live = generation = 2';
    const waiting = () => lockWaiters(pipeline.owner, 1);
    const advanced = await whileLocked(pipeline.owner, promote, waiting, async () =>
      advance(pipeline.projector, [fake.projection], 10),
    );
    expect(advanced).toMatchObject({ through: 3 });
    expect([await positions('fake_1'), await positions('fake_2')]).toEqual([[], upTo(3)]);
  });

  it('catches a new projection up from the start, and then advances all projections together', async () => {
    const old = positionsProjection('old');
    await prepareGenerations(pipeline.projector, [old.projection]);
    await grow(10);
    await projectAll(pipeline, [old.projection]);
    const fresh = positionsProjection('fresh');
    const both = [old.projection, fresh.projection];
    await prepareGenerations(pipeline.projector, both);
    await grow(2);
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
    expect(await positions('fresh')).toEqual(upTo(12));
    expect(await generations()).toEqual([at('fresh', 12), at('old', 12)]);
  });

  it('records a version mismatch for operators, and meanwhile advances nothing', async () => {
    await prepareGenerations(pipeline.projector, [positionsProjection('changed', 1).projection]);
    await grow(2);
    const stop = new AbortController();
    const running = runAlone(positionsProjection('changed', 2).projection, stop.signal);
    const failure = expect.stringContaining('live at version 1, but this program has version 2');
    await expect.poll(generations).toMatchObject([{ checkpoint: 0, failed_position: null, failure }]);
    stop.abort();
    await running;
  });

  it('records no failure for a version that a promotion has replaced, because nothing would clear it', async () => {
    await prepareGenerations(pipeline.projector, [positionsProjection('changed', 2).projection]);
    const late = new ProjectionFailedError({ name: 'changed', version: 1 }, 1, new Error('no such figure'));
    await recordFailure(pipeline.projector, late);
    expect(await generations()).toEqual([at('changed', 0)]);
  });

  it('prepares each first generation once if ten processes start together', async () => {
    const projections = [positionsProjection('one').projection, positionsProjection('other').projection];
    const pools = upTo(10).map(() => untilTestEnds(openPool(pipeline.url, ROLES.projector, 1)));
    await Promise.all(pools.map((pool) => prepareGenerations(pool, projections)));
    expect(await generations()).toEqual([at('one', 0), at('other', 0)]);
    await grow(2);
    await projectAll(pipeline, projections);
    expect((await pipeline.api.query('SELECT position FROM one ORDER BY 1')).rows).toHaveLength(2);
  });
});
