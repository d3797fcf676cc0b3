import { setTimeout as delay } from 'node:timers/promises';
import { claimSource } from '@milepost/event-log';
import { acceptSource } from '@milepost/operations/sources';
import { ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { KafkaMessage } from 'kafkajs';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { FetchLimit } from '../../../apps/ingest/kafka/fetch-queue.ts';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Partition } from '../../../apps/ingest/kafka/partition.ts';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { runOperation } from '../../support/operations.ts';
import { openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TIME = 1_736_900_000_000;
const WAIT = { timeout: 20_000, interval: 5 };

/** A partition as a broker holds it: records by offset, or null for what is no record of a client's (markers, aborted). */
type Held = Map<number, { timestamp: string; value: Buffer } | null>;

function recordsOf(topic: string, from: number, count: number): Held {
  const offsets = Array.from({ length: count }, (_, index) => from + index);
  return new Map(
    offsets.map((offset) => {
      const value = Buffer.from(JSON.stringify(driverProfile({ driver_id: `${topic}-${offset}` })));
      return [offset, { timestamp: String(TIME + offset), value }];
    }),
  );
}

/** Tells how much is fetched and not stored yet. */
class CountingLimit extends FetchLimit {
  held = 0;

  override count(bytes: number): void {
    this.held += bytes;
    super.count(bytes);
  }
}

describeWithPostgres('where ingest begins in a partition that it claims', () => {
  let log: Pipeline;
  let reader: RecordReader;
  let topic: string;
  let tests = 0;

  beforeAll(async () => {
    log = await openPipeline([]);
    reader = new RecordReader();
  });
  beforeEach(() => {
    tests += 1;
    topic = `topic-${tests}`;
  });
  afterAll(async () => {
    await reader?.close();
    await log?.close();
  });

  /**
   * An ingest process with one partition, which a broker holds as `held` says. `low`: how much retention has removed. It
   * reads until the test has finished, or until `end` is called.
   */
  function ingestOf(
    held: Held,
    low = 0,
    fetchFrom: (position: number) => number = (position) => position,
    appender: Pick<JointAppender, 'append'> = new JointAppender(log.ingest),
  ) {
    const high = () => String(Math.max(low, ...[...held.keys()].map((offset) => offset + 1)));
    let position = 0;
    let isPaused = true;
    let fetches = 0;
    const consumer = {
      seek: ({ offset }: { offset: string }) => {
        position = Number(offset);
      },
      pause: () => {
        isPaused = true;
      },
      resume: () => {
        isPaused = false;
      },
    };
    const offsets = () => ({ partition: 0, offset: high(), high: high(), low: String(low) });
    const admin = { fetchTopicOffsets: async () => [offsets()] };
    const logger = createLogger('ingest', 'silent');
    const limit = new CountingLimit(consumer);
    const stop = new AbortController();
    const shared = { pool: log.ingest, admin, limit, reader, appender, logger, signal: stop.signal };
    const partition = new Partition(topic, 0, shared);
    const running = Promise.all([partition.run(), fetchOn()]);
    const end = async () => {
      stop.abort();
      await running;
    };
    onTestFinished(end);

    /** Fetches from where the consumer is, again and again. */
    async function fetchOn(): Promise<void> {
      for (; !stop.signal.aborted; await delay(1)) {
        const from = fetchFrom(position);
        const raw = [...held].filter(([offset]) => offset >= from && offset >= low);
        const [first, last] = [raw[0]?.[0], raw.at(-1)?.[0]];
        if (isPaused || first === undefined || last === undefined) continue;
        const messages = raw.flatMap(([offset, record]): KafkaMessage[] =>
          record === null ? [] : [{ key: null, attributes: 0, offset: String(offset), size: 0, ...record }],
        );
        fetches += 1;
        expect(fetches).toBeLessThan(20);
        position = last + 1;
        partition.add(String(first), String(last), messages);
      }
    }

    return {
      partition,
      /** Lets the broker's retention remove what lies before an offset. */
      retain: (from: number) => {
        low = from;
      },
      end,
      /** Resolves once all there is has been fetched, and stored as far as it is to be stored. */
      untilRead: async () => {
        const isRead = () => fetches > 0 && !isPaused && position >= Number(high()) && limit.held === 0;
        await expect.poll(isRead, WAIT).toBe(true);
      },
    };
  }

  async function source() {
    const { rows } = await log.owner.query<{
      next_offset: number;
      records_read: number;
      stopped: boolean;
      fault: string | null;
    }>('SELECT next_offset, records_read, stopped, fault FROM log.source WHERE topic = $1', [topic]);
    return rows[0];
  }

  async function epoch() {
    const { rows } = await log.owner.query('SELECT epoch FROM log.source WHERE topic = $1', [topic]);
    return rows[0]?.epoch;
  }

  /** An ingest process reads all there is, and ends. */
  async function readAll(...options: Parameters<typeof ingestOf>) {
    const ingest = ingestOf(...options);
    await ingest.untilRead();
    await ingest.end();
  }

  const untilStopped = async (fault: RegExp) =>
    await expect
      .poll(source, WAIT)
      .toMatchObject({ records_read: 10, stopped: true, fault: expect.stringMatching(fault) });

  /** An ingest process stops the partition for this reason, and ends. */
  async function stop(fault: RegExp, ...options: Parameters<typeof ingestOf>) {
    const ingest = ingestOf(...options);
    await untilStopped(fault);
    await ingest.end();
  }

  const goesOn = (records: number, next_offset: number) => ({
    records_read: records,
    next_offset,
    stopped: false,
    fault: null,
  });

  const tenRead = async () => {
    const held = recordsOf(topic, 0, 10);
    await readAll(held);
    expect(await source()).toEqual(goesOn(10, 10));
    return held;
  };

  it('is behind the last record read, when the broker has the very same', async () => {
    const held = await tenRead();
    await readAll(new Map([...held, ...recordsOf(topic, 10, 5)]));
    expect(await source()).toEqual(goesOn(15, 15));
  });

  it('is nowhere when another record is in its place: same offset, same bytes or same time', async () => {
    const held = await tenRead();
    const [last] = [...recordsOf(topic, 9, 1).values()];
    if (!last) throw new Error('There is no last record.');
    for (const other of [
      { ...last, value: Buffer.from('{}') },
      { ...last, timestamp: String(TIME) },
    ]) {
      const anew = new Map([...recordsOf('anew', 0, 9), [9, other] as const, ...recordsOf('anew', 10, 20)]);
      await stop(/was made anew: at offset 9/, anew);
    }
    // The broker that was meant is back.
    await readAll(new Map([...held, ...recordsOf(topic, 10, 5)]));
    expect(await source()).toEqual(goesOn(15, 15));
  });

  it.each([20, 0])(
    'is nowhere when a marker or an aborted record is in its place, and %d records behind',
    async (count) => {
      await tenRead();
      const anew: Held = new Map([...recordsOf('anew', 0, 9), [9, null], ...recordsOf('anew', 10, count)]);
      await stop(/was made anew/, anew);
    },
  );

  it('is nowhere when the topic is shorter, or empty', async () => {
    await tenRead();
    for (const records of [9, 0]) {
      await stop(
        new RegExp(`should go on at offset 10, but the broker holds 0 to ${records}`),
        recordsOf('anew', 0, records),
      );
    }
  });

  it('is nowhere when records were removed before they were read', async () => {
    await tenRead();
    await stop(/should go on at offset 10, but the broker holds 11 to 20/, recordsOf(topic, 0, 20), 11);
  });

  it('is nowhere when records were removed while they were read', async () => {
    const held = await tenRead();
    const ingest = ingestOf(held, 0);
    await ingest.untilRead();
    held.clear();
    ingest.retain(15);
    for (const [offset, record] of recordsOf(topic, 15, 5)) held.set(offset, record);
    await untilStopped(/should go on at offset 10, but the broker holds 15 to 20/);
  });

  it('is nowhere when the broker answers with what lies before, as it does past the end of a topic made anew', async () => {
    await tenRead();
    await log.owner.query('UPDATE log.source SET last_offset = NULL, last_timestamp = NULL WHERE topic = $1', [topic]);
    const fetchFrom = (position: number) => (position === 10 ? 0 : position);
    await stop(/should go on at offset 10, but the broker holds 0 to 20/, recordsOf('anew', 0, 20), 0, fetchFrom);
  });

  it('is nowhere when the topic is made anew and filled while it is read', async () => {
    const held = await tenRead();
    const resets: number[] = [];
    const ingest = ingestOf(held, 0, (position) => resets.shift() ?? position);
    await ingest.untilRead();
    held.clear();
    // The client goes to the beginning when the broker does not hold its position, as before the topic was filled.
    resets.push(0);
    for (const [offset, record] of recordsOf('anew', 0, 30)) held.set(offset, record);
    await untilStopped(/was made anew: at offset 9/);
  });

  it('is behind what retention or compaction has taken, which nothing can be compared with', async () => {
    await tenRead();
    await readAll(recordsOf(topic, 0, 12), 10);
    expect(await source()).toEqual(goesOn(12, 12));
    const compacted = recordsOf(topic, 0, 14);
    compacted.delete(11);
    await readAll(compacted);
    expect(await source()).toEqual(goesOn(14, 14));
  });

  it('is behind a gap that compaction has left behind the last record, after one more look', async () => {
    const held = await tenRead();
    const ingest = ingestOf(held);
    await ingest.untilRead();
    for (const [offset, record] of recordsOf(topic, 12, 3)) held.set(offset, record);
    await expect.poll(source, WAIT).toEqual(goesOn(13, 15));
  });

  it('is behind markers that follow the last record, without reading it twice', async () => {
    const held = await tenRead();
    const marked: Held = new Map([...held, [10, null]]);
    await readAll(marked);
    expect(await source()).toEqual(goesOn(10, 10));
    await readAll(new Map([...marked, ...recordsOf(topic, 11, 1)]));
    expect(await source()).toEqual(goesOn(11, 12));
  });

  it('passes markers in mid-reading without a new claim', async () => {
    const held = await tenRead();
    const ingest = ingestOf(held);
    await ingest.untilRead();
    const epoch = ingest.partition.claim?.epoch;
    held.set(10, null);
    await ingest.untilRead();
    for (const [offset, record] of recordsOf(topic, 11, 2)) held.set(offset, record);
    await expect.poll(source, WAIT).toEqual(goesOn(12, 13));
    expect(ingest.partition.claim?.epoch).toBe(epoch);
  });

  it('is known by the time of the last record alone once an erasure has taken its hash', async () => {
    const held = await tenRead();
    await log.owner.query('UPDATE log.source SET last_hash = NULL WHERE topic = $1', [topic]);
    await readAll(new Map([...held, ...recordsOf(topic, 10, 1)]));
    expect(await source()).toEqual(goesOn(11, 11));
  });

  it('is where the log says after a COMMIT whose outcome nobody knows', async () => {
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
    await expect.poll(source, WAIT).toEqual(goesOn(10, 10));
    for (const [offset, record] of recordsOf(topic, 10, 5)) held.set(offset, record);
    await expect.poll(source, WAIT).toEqual(goesOn(15, 15));
    // The log shows it before who appends has heard of it.
    await expect.poll(() => outcomes, WAIT).toEqual(['stored', 'stored']);
    expect(ingest.partition.claim?.epoch).toBe(2);
  });

  it('is given up with the assignment: what is being stored ends, and nothing else is stored', async () => {
    const appender = new JointAppender(log.ingest);
    const prepare = vi.spyOn(reader, 'prepare');
    onTestFinished(() => prepare.mockRestore());
    const underWay = Promise.withResolvers<void>();
    const [first, second] = [recordsOf(topic, 0, 500), recordsOf(topic, 500, 500)];
    const ingest = ingestOf(new Map([...first, ...second]), 0, undefined, {
      append: async (batch) => {
        await underWay.promise;
        return await appender.append(batch);
      },
    });
    // The first batch is being stored, and the second one is ready.
    await expect
      .poll(() => prepare.mock.settledResults.map(({ type }) => type), WAIT)
      .toEqual(['fulfilled', 'fulfilled']);
    const ended = ingest.end();
    underWay.resolve();
    await ended;
    expect(await source()).toEqual(goesOn(500, 500));
  });

  it('stays nowhere until an operator says where to go on, then is there without a new assignment', async () => {
    await tenRead();
    const anew = recordsOf('anew', 0, 30);
    const first = ingestOf(anew);
    await untilStopped(/was made anew/);
    const operator = openPool(log.url, ROLES.operator, 1);
    try {
      expect(await runOperation(acceptSource, operator, { topic, partition: 0, from: 25 })).toEqual({
        topic,
        partition: 0,
        abandoned_offset: 10,
        next_offset: 25,
      });
      await expect(runOperation(acceptSource, operator, { topic, partition: 0, from: 25 })).rejects.toThrow(
        'does not stand still',
      );
    } finally {
      await operator.end();
    }
    await expect.poll(source, WAIT).toEqual(goesOn(15, 30));
    await first.end();
  });

  it('stays nowhere for the next process too, as long as nothing shows that the cause is gone', async () => {
    await tenRead();
    await stop(/0 to 5/, recordsOf('anew', 0, 5));
    await log.owner.query('UPDATE log.source SET last_offset = NULL, last_timestamp = NULL WHERE topic = $1', [topic]);
    const next = ingestOf(recordsOf('anew', 0, 20));
    await expect.poll(epoch, WAIT).toBe(3);
    await delay(100);
    await next.end();
    await untilStopped(/0 to 5/);
  });

  it('takes nothing from a stopped source, whoever holds the claim', async () => {
    await tenRead();
    await log.owner.query("UPDATE log.source SET stopped = true, fault = 'x', fault_at = now() WHERE topic = $1", [
      topic,
    ]);
    const claim = await claimSource(log.ingest, topic, 0);
    await expect(new JointAppender(log.ingest).append({ claim, records: [], nextOffset: 11 })).rejects.toThrow(
      'or stopped',
    );
  });
});
