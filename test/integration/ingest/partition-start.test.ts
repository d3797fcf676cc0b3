import { claimSource } from '@milepost/event-log/sources';
import { acceptSource } from '@milepost/operations/sources';
import { type Pool, ROLES } from '@milepost/postgres';
import { startTracing } from '@milepost/tracing/start';
import { pino } from 'pino';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Source } from '../../../apps/ingest/kafka/source.ts';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { startCollector } from '../../support/collector.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { onlyLane } from '../../support/ingest-lanes.ts';
import { runOperation } from '../../support/operations.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithLog } from '../../support/pipeline-suites.ts';
import { recordedLog } from '../../support/recorded-log.ts';
import { driverProfile } from '../../support/records.ts';
import { FIRST_TIME, fetchedRecord, runPartition } from '../../support/run-partition.ts';

/** The partition on the broker: records by offset. Null stands for a transaction marker or an aborted record. */
type HeldRecords = Map<number, ReturnType<typeof recordAt> | null>;

function recordAt(topic: string, offset: number) {
  const value = Buffer.from(JSON.stringify(driverProfile({ driver_id: `${topic}-${offset}` })));
  return { timestamp: FIRST_TIME + offset, value };
}

function recordsOf(topic: string, from: number, count: number): HeldRecords {
  return new Map(Array.from({ length: count }, (_, index) => [from + index, recordAt(topic, from + index)]));
}

interface Line {
  /** Epoch milliseconds. */
  time: number;
  message: string;
  delay_milliseconds?: number;
}

describeWithLog('ingest with a newly claimed partition', (log) => {
  const reader = perSuite(async () => new RecordReader());
  let topic: string;
  beforeEach(() => {
    topic = `topic-${crypto.randomUUID()}`;
  });

  /**
   * Runs an ingest process on one partition of a broker until the test ends or `end` is called. The broker holds the
   * records in `held`, and `low` is the first offset that retention has kept.
   */
  function ingestOf(
    held: HeldRecords,
    low = 0,
    fetchFrom: (position: number) => number = (position) => position,
    appender: Pick<JointAppender, 'append'> = new JointAppender(log.ingest),
  ) {
    const high = () => Math.max(low, ...[...held.keys()].map((offset) => offset + 1));
    let fetches = 0;
    const fetch = (position: number) => {
      const from = fetchFrom(position);
      const raw = [...held].filter(([offset]) => offset >= from && offset >= low);
      const [first, last] = [raw[0]?.[0], raw.at(-1)?.[0]];
      if (first === undefined || last === undefined) return null;
      fetches += 1;
      expect(fetches).toBeLessThan(20);
      const records = raw.flatMap(([offset, record]) =>
        record === null ? [] : [fetchedRecord(offset, record.value, record.timestamp)],
      );
      return { first, last, records };
    };
    const { logger, lines } = recordedLog<Line>();
    const stop = new AbortController();
    const lanes = { ...onlyLane(log.ingest), appenders: new Map([[0, appender]]), turns: new Map() };
    const range = (): [number, number] => [low, high()];
    const options = { lanes, reader, logger, signal: stop.signal };
    const { partition, consumer, limit, ended } = runPartition(topic, 0, { range, fetch }, options);
    const end = async () => {
      stop.abort();
      await ended;
    };
    onTestFinished(end);

    return {
      partition,
      lines,
      /** Removes the records before an offset, as the broker's retention does. */
      retain: (from: number) => {
        low = from;
      },
      end,
      /** Resolves when all records have been fetched and none is waiting to be stored. */
      untilRead: async () => {
        const isFetched = () => fetches > 0 && !consumer.isPaused && consumer.position >= high();
        await expect.poll(() => isFetched() && limit.bytes === 0).toBe(true);
      },
    };
  }

  async function source() {
    const sql = 'SELECT next_offset, records_read, stopped, fault FROM log_source WHERE topic = $1';
    return (await log.owner.query(sql, [topic])).rows[0];
  }

  /** Starts an ingest process, waits until it has read all records, and leaves it running. */
  async function reading(...options: Parameters<typeof ingestOf>) {
    const ingest = ingestOf(...options);
    await ingest.untilRead();
    return ingest;
  }

  /** Runs an ingest process until it has read all records. */
  async function readAll(...options: Parameters<typeof ingestOf>) {
    await (await reading(...options)).end();
  }

  const untilStopped = async (fault: RegExp) =>
    await expect.poll(source).toMatchObject({ records_read: 10, stopped: true, fault: expect.stringMatching(fault) });

  /** Runs an ingest process until it stops the partition with this fault. */
  async function stop(fault: RegExp, ...options: Parameters<typeof ingestOf>) {
    const ingest = ingestOf(...options);
    await untilStopped(fault);
    await ingest.end();
  }

  const continuing = (records: number, next_offset: number) => ({
    records_read: records,
    next_offset,
    stopped: false,
    fault: null,
  });

  const readTen = async () => {
    const held = recordsOf(topic, 0, 10);
    await readAll(held);
    expect(await source()).toEqual(continuing(10, 10));
    return held;
  };

  it('waits for the claim of an earlier assignment, and does not claim once its own assignment has ended', async () => {
    const openAlone = () => untilTestEnds(openPool(log.url, ROLES.ingest, 1));
    const [busy, idle] = [openAlone(), openAlone()];
    const turns = new Map<string, Promise<unknown>>();
    const claim = async (number: number, pool: Pool, { signal } = new AbortController()) => {
      const lanes = { ...onlyLane(pool), appenders: new Map(), turns };
      const options = { logger: pino({ level: 'silent' }), signal, onReturn: () => {} };
      return await new Source({ topic, partition: number }, lanes, options).claim();
    };
    const connection = await busy.connect();
    const earlier = claim(0, busy);
    const revoked = new AbortController();
    const tooLate = claim(0, idle, revoked);
    revoked.abort();
    const later = claim(0, idle);
    // If `later` did not wait for `earlier`, it would end before this claim, because the pool has only one connection.
    await claim(1, idle);
    connection.release();
    await expect(tooLate).rejects.toBe(revoked.signal.reason);
    expect([(await earlier).epoch, (await later).epoch]).toEqual([1, 2]);
  });

  it('stops if the last offset holds a different record, even one with the same bytes or the same time', async () => {
    const held = await readTen();
    const last = recordAt(topic, 9);
    for (const other of [
      { ...last, value: Buffer.from('{}') },
      { ...last, timestamp: FIRST_TIME },
    ]) {
      const recreated = new Map([
        ...recordsOf('recreated', 0, 9),
        [9, other] as const,
        ...recordsOf('recreated', 10, 20),
      ]);
      await stop(/was created again: at offset 9/, recreated);
    }
    // The original topic is back on the broker.
    await readAll(new Map([...held, ...recordsOf(topic, 10, 5)]));
    expect(await source()).toEqual(continuing(15, 15));
  });

  it('compares the last record even if it is the first that retention has kept', async () => {
    await readTen();
    await stop(/was created again: at offset 9/, recordsOf('recreated', 0, 20), 9);
  });

  it('is no longer stopped once the broker holds the last record again, even before it reads more', async () => {
    const held = await readTen();
    await stop(/0 to 5/, recordsOf('recreated', 0, 5));
    const { partition } = ingestOf(held);
    await expect.poll(source).toEqual(continuing(10, 10));
    await expect.poll(() => partition.claim?.stopped).toBeNull();
  });

  it('stops if the topic ends before the offset or is empty', async () => {
    await readTen();
    for (const records of [9, 0]) {
      await stop(new RegExp(`is 10, but the broker holds 0 to ${records}`), recordsOf('recreated', 0, records));
    }
  });

  it('stops when records are removed while it reads', async () => {
    const held = await readTen();
    const ingest = await reading(held);
    held.clear();
    ingest.retain(15);
    for (const [offset, record] of recordsOf(topic, 15, 5)) held.set(offset, record);
    await untilStopped(/is 10, but the broker holds 15 to 20/);
  });

  it('stops when the broker responds with earlier records, as it does past the end of a recreated topic', async () => {
    await readTen();
    await log.owner.query('UPDATE log_source SET last_offset = NULL, last_timestamp = NULL WHERE topic = $1', [topic]);
    const fetchFrom = (position: number) => (position === 10 ? 0 : position);
    await stop(/is 10, but the broker holds 0 to 20/, recordsOf('recreated', 0, 20), 0, fetchFrom);
  });

  it('compares the last record that it has read itself, even in the first process that reads the topic', async () => {
    const held = recordsOf(topic, 0, 10);
    const ingest = await reading(held);
    held.clear();
    for (const [offset, record] of recordsOf('recreated', 0, 30)) held.set(offset, record);
    ingest.partition.compare('now');
    await untilStopped(/was created again: at offset 9/);
  });

  it('continues after records that retention or compaction has removed, although it cannot compare them', async () => {
    await readTen();
    await readAll(recordsOf(topic, 0, 12), 10);
    expect(await source()).toEqual(continuing(12, 12));
    const compacted = recordsOf(topic, 0, 14);
    compacted.delete(11);
    await readAll(compacted);
    expect(await source()).toEqual(continuing(14, 14));
  });

  it('continues after a gap left by compaction, once a second comparison confirms it', async () => {
    const held = await readTen();
    await reading(held);
    for (const [offset, record] of recordsOf(topic, 12, 3)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(13, 15));
  });

  it('skips transaction markers while it reads, without claiming the partition again', async () => {
    const held = await readTen();
    const ingest = await reading(held);
    const epoch = ingest.partition.claim?.epoch;
    held.set(10, null);
    await ingest.untilRead();
    for (const [offset, record] of recordsOf(topic, 11, 2)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(12, 13));
    expect(ingest.partition.claim?.epoch).toBe(epoch);
  });

  it('passes an offset that no fetch returns, without claiming the partition again', async () => {
    const held = await readTen();
    const { partition } = await reading(held);
    const epoch = partition.claim?.epoch;
    expect(partition.add({ first: null, end: 11, records: [] })).toBe(true);
    await expect.poll(source).toEqual(continuing(10, 11));
    expect(partition.claim?.epoch).toBe(epoch);
  });

  it("compares only the last record's time if an erasure has deleted the hash", async () => {
    const held = await readTen();
    await log.owner.query('UPDATE log_source SET last_hash = NULL WHERE topic = $1', [topic]);
    const other = { ...recordAt(topic, 9), timestamp: FIRST_TIME };
    await stop(/was created again: at offset 9/, new Map([...recordsOf(topic, 0, 9), [9, other]]));
    await readAll(new Map([...held, ...recordsOf(topic, 10, 1)]));
    expect(await source()).toEqual(continuing(11, 11));
  });

  it('continues at the offset in the log after a COMMIT with an unknown outcome', async () => {
    const appender = new JointAppender(log.ingest);
    const outcomes: string[] = [];
    const held = recordsOf(topic, 0, 10);
    const ingest = ingestOf(held, 0, undefined, {
      append: async (batch) => {
        const appended = await appender.append(batch).catch((error: unknown) => {
          outcomes.push('refused');
          throw error;
        });
        outcomes.push('stored');
        if (outcomes.length === 1) throw new Error('Connection terminated unexpectedly');
        return appended;
      },
    });
    await expect.poll(source).toEqual(continuing(10, 10));
    for (const [offset, record] of recordsOf(topic, 10, 5)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(15, 15));
    // The records are in the log before the appender receives the result.
    await expect.poll(() => outcomes).toEqual(['stored', 'stored']);
    expect(ingest.partition.claim?.epoch).toBe(2);
  });

  it('claims again 3 s after a claim by another process, and continues at the offset in the log', async () => {
    const held = await readTen();
    const ingest = await reading(held);
    const said = (message: string) => ingest.lines.filter((line) => line.message === message);
    await claimSource(log.ingest, topic, 0);
    for (const [offset, record] of recordsOf(topic, 10, 10)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(20, 20));
    const fenced = said('The partition was claimed by another process.');
    expect(fenced).toHaveLength(1);
    const rest = (said('The partition was claimed.').at(-1)?.time ?? 0) - (fenced.at(-1)?.time ?? 0);
    expect(rest).toBeGreaterThanOrEqual(2_900);
  });

  it('retries a failed append with increasing delays, and resets the delay after a success', async () => {
    const appender = new JointAppender(log.ingest);
    let failures = 4;
    const held = await readTen();
    const ingest = ingestOf(held, 0, undefined, {
      append: async (batch) => {
        failures -= 1;
        if (failures >= 0) throw Object.assign(new Error('the server is shutting down'), { code: '57P01' });
        return await appender.append(batch);
      },
    });
    for (const [offset, record] of recordsOf(topic, 10, 5)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(15, 15));
    await ingest.untilRead();
    failures = 1;
    for (const [offset, record] of recordsOf(topic, 15, 5)) held.set(offset, record);
    await expect.poll(source).toEqual(continuing(20, 20));
    const delays = ingest.lines.flatMap(({ delay_milliseconds = [] }) => delay_milliseconds);
    const longest = [100, 200, 400, 800, 100];
    expect(delays).toHaveLength(longest.length);
    for (const [index, limit] of longest.entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(limit / 2);
      expect(delays[index]).toBeLessThanOrEqual(limit);
    }
  });

  it('has a lag while it waits to claim the partition again', async () => {
    const held = await readTen();
    const ingest = ingestOf(held, 0, undefined, {
      append: async () => {
        throw Object.assign(new Error('the server is shutting down'), { code: '57P01' });
      },
    });
    ingest.partition.end = 15;
    for (const [offset, record] of recordsOf(topic, 10, 5)) held.set(offset, record);
    await expect.poll(() => ingest.lines.filter(({ delay_milliseconds }) => delay_milliseconds).length).toBe(3);
    expect([ingest.partition.claim, ingest.partition.lag]).toEqual([null, 5]);
  });

  it('completes the running append when its assignment ends, stores nothing more, and ends all spans', async () => {
    const collector = untilTestEnds(await startCollector());
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const sampler = { followsParent: true, ratio: 1 };
    const stopTracing = await startTracing({ protocol: 'http/json', sampler }, 'test', () => {});
    const appender = new JointAppender(log.ingest);
    const prepare = vi.spyOn(RecordReader.prototype, 'prepare');
    onTestFinished(() => prepare.mockRestore());
    const underWay = Promise.withResolvers<void>();
    const [first, second] = [recordsOf(topic, 0, 500), recordsOf(topic, 500, 500)];
    const ingest = ingestOf(new Map([...first, ...second]), 0, undefined, {
      append: async (batch) => {
        await underWay.promise;
        return await appender.append(batch);
      },
    });
    // The first batch is being stored, and the second has already been prepared.
    await expect.poll(() => prepare.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled', 'fulfilled']);
    const ended = ingest.end();
    underWay.resolve();
    await ended;
    expect(await source()).toEqual(continuing(500, 500));
    await stopTracing();
    expect(collector.spans().filter(({ name }) => name.startsWith('process'))).toHaveLength(2);
  });

  it('stays stopped until an operator accepts an offset, and then continues without a new assignment', async () => {
    await readTen();
    const recreated = recordsOf('recreated', 0, 30);
    const first = ingestOf(recreated);
    await untilStopped(/was created again/);
    const operator = untilTestEnds(openPool(log.url, ROLES.operator, 1));
    expect(await runOperation(acceptSource, operator, { topic, partition: 0, from: 25 })).toEqual({
      topic,
      partition: 0,
      abandoned_offset: 10,
      next_offset: 25,
    });
    await expect(runOperation(acceptSource, operator, { topic, partition: 0, from: 25 })).rejects.toMatchObject({
      reason: { code: 'source_refused', topic, partition: 0 },
    });
    await expect.poll(source).toEqual(continuing(15, 30));
    await first.end();
  });

  it('stays stopped if compaction has removed the record that could show that the cause is gone', async () => {
    const held = await readTen();
    await stop(/0 to 5/, recordsOf('recreated', 0, 5));
    held.delete(9);
    const next = ingestOf(new Map([...held, ...recordsOf(topic, 10, 5)]));
    await expect.poll(() => next.lines.map(({ message }) => message)).toContain('The source is stopped.');
    await untilStopped(/0 to 5/);
    expect(await source()).toMatchObject({ next_offset: 10 });
  });

  // A consumer that fetches nothing although a topic grows is replaced.
  it('counts records as fetched while they wait for a slow database', async () => {
    const isAnswering = Promise.withResolvers<void>();
    const append = vi.fn(async (batch: Parameters<JointAppender['append']>[0]) => {
      await isAnswering.promise;
      return await new JointAppender(log.ingest).append(batch);
    });
    const { partition, untilRead } = ingestOf(recordsOf(topic, 0, 10), 0, undefined, { append });
    onTestFinished(() => isAnswering.resolve());
    await expect.poll(() => append.mock.calls.length).toBe(1);
    expect([partition.fetchedTo, partition.claim?.nextOffset]).toEqual([10, 0]);
    isAnswering.resolve();
    await untilRead();
    expect([partition.fetchedTo, partition.claim?.nextOffset]).toEqual([10, 10]);
  });
});
