import { claimSource, FleetFencedError, lastRecordOf, type SourceBatch, SourceFencedError } from '@milepost/event-log';
import { type Pool, ROLES } from '@milepost/postgres';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { FetchLimit } from '../../../apps/ingest/kafka/fetch-queue.ts';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Partition } from '../../../apps/ingest/kafka/partition.ts';
import { Source, type SourceLanes } from '../../../apps/ingest/kafka/source.ts';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { incoming, openPartPool } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const WAIT = { timeout: 20_000, interval: 10 };
const FLEETS = new Map([
  ['first', 0],
  ['other-of-first', 0],
  ['second', 1],
]);
const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });

describeWithPostgres('a source whose lanes differ', () => {
  let world: LaneWorld;
  let pools: Map<number, Pool>;
  let topic: string;
  let tests = 0;

  beforeAll(async () => {
    world = await LaneWorld.create(2, 1);
    pools = new Map(world.lanes.map((lane) => [lane.number, openPartPool(lane, ROLES.ingest)]));
  });
  beforeEach(() => {
    tests += 1;
    topic = `topic-${tests}`;
  });
  afterAll(async () => {
    await Promise.all(pools?.values().map((pool) => pool.end()) ?? []);
    await world?.close();
  });

  const poolOf = (lane: number): Pool => {
    const pool = pools.get(lane);
    if (!pool) throw new Error(`There is no lane ${lane}.`);
    return pool;
  };
  const recordOf = (offset: number, fleet_id: string) =>
    incoming(offset, driverProfile({ fleet_id, driver_id: `${topic}-${offset}` }));
  const rowOf = async (lane: number, partition = 0) => {
    const { rows } = await world
      .owner(lane)
      .query(
        'SELECT next_offset, records_read, records_elsewhere, last_offset, stopped, fault FROM log_source WHERE topic = $1 AND partition = $2',
        [topic, partition],
      );
    return rows[0];
  };

  /** Gives a lane's source an offset, and if there is a fault, stops the source. */
  async function place(
    lane: number,
    next_offset: number,
    fault: string | null = null,
    source = { topic, partition: 0 },
  ) {
    await claimSource(poolOf(lane), source.topic, source.partition);
    await world.owner(lane).query(
      `UPDATE log_source SET next_offset = $3, records_read = $3, records_elsewhere = $3,
         stopped = $4, fault = $5, fault_at = CASE WHEN $4 THEN now() END
       WHERE topic = $1 AND partition = $2`,
      [source.topic, source.partition, next_offset, fault !== null, fault],
    );
  }

  /**
   * Opens a source on both lanes or on the given ones. While `failures` has an error for a lane, the lane's appender
   * fails with it.
   */
  function open(ofLanes: readonly number[] = [0, 1]) {
    const batches: { lane: number; batch: SourceBatch }[] = [];
    const failures = new Map<number, () => Error>();
    const appenders = new Map(
      ofLanes.map((lane) => {
        const appender = new JointAppender(poolOf(lane));
        const append = async (batch: SourceBatch) => {
          batches.push({ lane, batch });
          const failure = failures.get(lane);
          if (failure) throw failure();
          return await appender.append(batch);
        };
        return [lane, { append }];
      }),
    );
    const forget = vi.fn();
    const lanes: SourceLanes = {
      pools: new Map(ofLanes.map((lane) => [lane, poolOf(lane)])),
      fleets: { find: async () => FLEETS, forget },
      appenders,
      turns: new Map(),
      areCurrent: async () => true,
    };
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const onReturn = vi.fn();
    const options = { logger: pino({ level: 'silent' }), signal: ended.signal, onReturn };
    return { source: new Source({ topic, partition: 0 }, lanes, options), lanes, batches, failures, forget, onReturn };
  }

  it('is read from the lowest offset', async () => {
    for (const [first, second] of [
      [5, 3],
      [4, 6],
    ] as const) {
      await Promise.all([place(0, first), place(1, second)]);
      expect(await open().source.claim()).toMatchObject({ nextOffset: Math.min(first, second) });
    }
  });

  it('continues without a lane that is stopped, until an operator has settled the lane', async () => {
    await Promise.all([place(0, 5), place(1, 3, 'stopped')]);
    // Neither a fault in another topic nor one in another partition holds back the lane.
    await place(1, 0, 'other', { topic: `${topic}-other`, partition: 0 });
    await place(1, 0, 'other', { topic, partition: 1 });
    const { source, onReturn } = open();
    expect(await source.claim()).toMatchObject({ nextOffset: 5, stopped: null });
    await source.append([recordOf(5, 'first'), recordOf(6, 'second')], 7, null);
    await source.flush();
    expect([await rowOf(0), await rowOf(1)]).toMatchObject([{ next_offset: 7 }, { next_offset: 3, stopped: true }]);
    expect(onReturn).not.toHaveBeenCalled();
    await world
      .owner(1)
      .query(
        'UPDATE log_source SET stopped = false, fault = NULL, fault_at = NULL WHERE topic = $1 AND partition = 0',
        [topic],
      );
    await expect.poll(() => onReturn.mock.calls.length, WAIT).toBeGreaterThan(0);
  });

  it('keeps the claims of all lanes when all are stopped, so that they can continue together', async () => {
    await Promise.all([place(0, 5, 'stopped'), place(1, 3, 'stopped')]);
    const { source } = open();
    expect(await source.claim()).toMatchObject({ nextOffset: 3, stopped: 'stopped' });
    expect([...source.claims.keys()].sort()).toEqual([0, 1]);
  });

  it('stops only the lanes whose offset the broker no longer holds', async () => {
    await Promise.all([place(0, 5), place(1, 3)]);
    const ended = new AbortController();
    const reader = new RecordReader();
    const seeks: string[] = [];
    const consumer = { seek: ({ offset }: { offset: string }) => seeks.push(offset), pause() {}, resume() {} };
    const partition = new Partition(topic, 0, {
      lanes: open().lanes,
      admin: { fetchTopicOffsets: async () => [{ partition: 0, offset: '10', high: '10', low: '4' }] },
      limit: new FetchLimit(consumer),
      reader,
      logger: pino({ level: 'silent' }),
      comparisonMilliseconds: 60_000,
      signal: ended.signal,
    });
    const running = partition.run();
    onTestFinished(async () => {
      ended.abort();
      await running;
      await reader.close();
    });
    await expect.poll(() => seeks, WAIT).toEqual(['5']);
    expect(partition.claim?.nextOffset).toBe(5);
    const fault = expect.stringMatching(/is 3, but the broker holds 4 to 10/);
    expect([await rowOf(0), await rowOf(1)]).toMatchObject([
      { next_offset: 5, stopped: false, fault: null },
      { next_offset: 3, stopped: true, fault },
    ]);
  });

  it('stops no lane for an offset that all lanes have', async () => {
    await Promise.all([place(0, 3), place(1, 3)]);
    const { source } = open();
    await source.claim();
    expect(await source.stopLowest('a fault')).toBeNull();
    expect([await rowOf(0), await rowOf(1)]).toMatchObject([{ stopped: false }, { stopped: false }]);
    expect(source.claims.size).toBe(2);
  });

  it('moves the offset of a lane without records by everything that the lane has passed', async () => {
    const { source, batches } = open();
    await source.claim();
    const known = lastRecordOf(1, 9, Buffer.from('known'));
    const first = await source.append([recordOf(0, 'first'), recordOf(1, 'first')], 2, known);
    expect(first).toMatchObject({ nextOffset: 2, last: known });
    expect(await source.append([recordOf(2, 'other-of-first')], 3, null)).toMatchObject({ nextOffset: 3 });
    expect(await rowOf(1)).toMatchObject({ next_offset: 0 });
    await source.flush();
    const passed = batches.filter(({ lane }) => lane === 1).map(({ batch }) => [...(batch.passed ?? [])].sort());
    expect(passed).toEqual([['first', 'other-of-first']]);
    const moved = { next_offset: 3, records_read: 3, last_offset: 1 };
    expect([await rowOf(0), await rowOf(1)]).toMatchObject([
      { ...moved, records_elsewhere: 0 },
      { ...moved, records_elsewhere: 3 },
    ]);
    // Nothing is left to move.
    await source.flush();
    expect(batches).toHaveLength(3);
  });

  // In the meantime, the fleet of a passed record may have moved to the lane.
  it('forgets at a claim which records its lanes have passed', async () => {
    const { source, batches } = open();
    await source.claim();
    await source.append([recordOf(0, 'first')], 1, null);
    await source.claim();
    await source.flush();
    expect(batches.map(({ lane }) => lane)).toEqual([0]);
    expect(await rowOf(1)).toMatchObject({ next_offset: 0, records_elsewhere: 0 });
  });

  it('reports the refusal of a moving fleet until the next claim, even after the last lane has failed', async () => {
    const { source, failures, forget } = open();
    await source.claim();
    failures.set(1, () => new FleetFencedError(['second']));
    await source.append([recordOf(0, 'second')], 1, null);
    expect(forget.mock.calls).toEqual([[['second']]]);
    failures.set(0, lost);
    await expect(source.append([recordOf(1, 'first')], 2, null)).rejects.toThrow('lost');
    await expect(source.append([recordOf(1, 'first')], 2, null)).rejects.toThrow(FleetFencedError);
    failures.set(1, lost);
    await source.claim();
    await expect(source.append([recordOf(0, 'second'), recordOf(1, 'first')], 2, null)).rejects.toThrow('lost');
    await expect(source.append([recordOf(2, 'first')], 3, null)).rejects.toThrow(SourceFencedError);
  });

  it('continues when another lane fails than before its claim', async () => {
    const { source, failures } = open();
    await source.claim();
    failures.set(1, lost);
    await source.append([recordOf(0, 'second')], 1, null);
    failures.set(0, lost);
    failures.delete(1);
    await source.claim();
    await source.append([recordOf(0, 'second'), recordOf(1, 'first')], 2, null);
    expect([await rowOf(0), await rowOf(1)]).toMatchObject([{ next_offset: 0 }, { next_offset: 2 }]);
  });

  // Each time a lane returns, the partition is read again from the lane's offset.
  it('waits for the newest failure of a lane only, and not for the failures before its claim', async () => {
    const { source, failures, onReturn } = open();
    failures.set(1, lost);
    let failedAt = 0;
    for (const _time of [1, 2]) {
      await source.claim();
      await source.append([recordOf(0, 'second')], 1, null);
      failedAt = performance.now();
    }
    await expect.poll(() => onReturn.mock.calls.length, WAIT).toBeGreaterThan(0);
    // The first wait takes 2 s and the second one 4 s.
    expect(performance.now() - failedAt).toBeGreaterThan(3_500);
  });

  // The consumer's heartbeat may come between a failed append and the next claim.
  it('moves no offset past records that its only lane has failed to store', async () => {
    const { source, failures, batches } = open([0]);
    await source.claim();
    failures.set(0, lost);
    await expect(source.append([recordOf(0, 'first')], 1, null)).rejects.toThrow('lost');
    failures.clear();
    await source.flush();
    expect(await rowOf(0)).toMatchObject({ next_offset: 0 });
    expect(batches).toHaveLength(1);
  });
});
