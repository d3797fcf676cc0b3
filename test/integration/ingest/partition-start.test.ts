import { claimSource } from '@milepost/event-log';
import { acceptSource } from '@milepost/operations/sources';
import { ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { KafkaMessage } from 'kafkajs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createBatchHandler } from '../../../apps/ingest/kafka/handle-batch.ts';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { PartitionClaims } from '../../../apps/ingest/kafka/partition-claims.ts';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { runOperation } from '../../support/operations.ts';
import { openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TIME = 1_736_900_000_000;

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

  /** An ingest process with one partition, which a broker holds as `held` says. `low`: how much retention has removed. */
  function ingestOf(held: Held, low = 0, fetchFrom: (position: number) => number = (position) => position) {
    const high = () => String(Math.max(low, ...[...held.keys()].map((offset) => offset + 1)));
    let position = 0;
    let sought = false;
    let paused = false;
    const consumer = {
      seek: ({ offset }: { offset: string }) => {
        position = Number(offset);
        sought = true;
      },
      pause: () => {
        paused = true;
      },
      resume: () => {
        paused = false;
      },
    };
    const offsets = () => ({ partition: 0, offset: high(), high: high(), low: String(low) });
    const admin = { fetchTopicOffsets: async () => [offsets()] };
    const logger = createLogger('ingest', 'silent');
    const signal = new AbortController().signal;
    const claims = new PartitionClaims({ pool: log.ingest, admin, consumer, logger, signal });
    const context = { reader, appender: new JointAppender(log.ingest), consumer, claims, logger, onStored: () => {} };
    const handle = createBatchHandler(context);

    /** One fetch from where the consumer is. False: it brought nothing. */
    async function fetchOnce(): Promise<boolean> {
      const from = fetchFrom(position);
      const raw = [...held].filter(([offset]) => offset >= from && offset >= low);
      const messages = raw.flatMap(([offset, record]): KafkaMessage[] =>
        record === null ? [] : [{ key: null, attributes: 0, offset: String(offset), size: 0, ...record }],
      );
      const first = raw[0]?.[0];
      const last = raw.at(-1)?.[0];
      if (paused || first === undefined || last === undefined) return false;
      sought = false;
      position = last + 1;
      if (messages.length === 0) return true;
      await handle({
        batch: {
          topic,
          partition: 0,
          highWatermark: high(),
          messages,
          isEmpty: () => false,
          firstOffset: () => String(first),
          lastOffset: () => String(last),
          offsetLag: () => '0',
          offsetLagLow: () => '0',
        },
        resolveOffset: () => {},
        heartbeat: async () => {},
        pause: () => consumer.resume,
        commitOffsetsIfNecessary: async () => {},
        uncommittedOffsets: () => ({ topics: [] }),
        isRunning: () => true,
        isStale: () => sought,
      });
      return true;
    }

    return {
      claims,
      /** Reads until there is nothing left to read, or the partition is stopped. */
      read: async () => {
        claims.assign({ [topic]: [0] });
        // The claim is there, or in vain; what it sets off, a stop, goes on beside the first fetches.
        await claims.held();
        for (let fetches = 0; await fetchOnce(); fetches += 1) expect(fetches).toBeLessThan(10);
      },
      /** The same without a new claim. */
      readOn: async () => {
        for (let fetches = 0; await fetchOnce(); fetches += 1) expect(fetches).toBeLessThan(10);
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

  const stopped = async (fault: RegExp) =>
    await expect.poll(source).toMatchObject({ records_read: 10, stopped: true, fault: expect.stringMatching(fault) });

  const goesOn = (records: number, next_offset: number) => ({
    records_read: records,
    next_offset,
    stopped: false,
    fault: null,
  });

  const tenRead = async () => {
    const held = recordsOf(topic, 0, 10);
    await ingestOf(held).read();
    expect(await source()).toEqual(goesOn(10, 10));
    return held;
  };

  it('is behind the last record read, when the broker has the very same', async () => {
    const held = await tenRead();
    await ingestOf(new Map([...held, ...recordsOf(topic, 10, 5)])).read();
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
      await ingestOf(new Map([...recordsOf('anew', 0, 9), [9, other], ...recordsOf('anew', 10, 20)])).read();
      await stopped(/was made anew: at offset 9/);
    }
    // The broker that was meant is back.
    await ingestOf(new Map([...held, ...recordsOf(topic, 10, 5)])).read();
    expect(await source()).toEqual(goesOn(15, 15));
  });

  it('is nowhere when a marker or an aborted record is in its place', async () => {
    await tenRead();
    await ingestOf(new Map([...recordsOf('anew', 0, 9), [9, null], ...recordsOf('anew', 10, 20)])).read();
    await stopped(/was made anew/);
  });

  it('is nowhere when the topic is shorter, or empty', async () => {
    await tenRead();
    for (const records of [9, 0]) {
      await ingestOf(recordsOf('anew', 0, records)).read();
      await stopped(new RegExp(`should go on at offset 10, but the broker holds 0 to ${records}`));
    }
  });

  it('is nowhere when records were removed before they were read', async () => {
    await tenRead();
    await ingestOf(recordsOf(topic, 0, 20), 11).read();
    await stopped(/should go on at offset 10, but the broker holds 11 to 20/);
  });

  it('is nowhere when the broker answers with what lies before, as it does past the end of a topic made anew', async () => {
    await tenRead();
    await log.owner.query('UPDATE log.source SET last_offset = NULL, last_timestamp = NULL WHERE topic = $1', [topic]);
    await ingestOf(recordsOf('anew', 0, 20), 0, () => 0).read();
    await stopped(/should go on at offset 10, but the broker holds 0 to 20/);
  });

  it('is nowhere when the topic is made anew and filled while it is read', async () => {
    const held = await tenRead();
    const resets: number[] = [];
    const ingest = ingestOf(held, 0, (position) => resets.shift() ?? position);
    await ingest.read();
    held.clear();
    // The client goes to the beginning when the broker does not hold its position, as before the topic was filled.
    resets.push(0);
    for (const [offset, record] of recordsOf('anew', 0, 30)) held.set(offset, record);
    await ingest.readOn();
    await stopped(/was made anew: at offset 9/);
  });

  it('is behind what retention or compaction has taken, which nothing can be compared with', async () => {
    await tenRead();
    await ingestOf(recordsOf(topic, 0, 12), 10).read();
    expect(await source()).toEqual(goesOn(12, 12));
    const compacted = recordsOf(topic, 0, 14);
    compacted.delete(11);
    await ingestOf(compacted).read();
    expect(await source()).toEqual(goesOn(14, 14));
  });

  it('is behind markers that follow the last record, without reading it twice', async () => {
    const held = await tenRead();
    const marked: Held = new Map([...held, [10, null]]);
    await ingestOf(marked).read();
    expect(await source()).toEqual(goesOn(10, 10));
    await ingestOf(new Map([...marked, ...recordsOf(topic, 11, 1)])).read();
    expect(await source()).toEqual(goesOn(11, 12));
  });

  it('is known by the time of the last record alone once an erasure has taken its hash', async () => {
    const held = await tenRead();
    await log.owner.query('UPDATE log.source SET last_hash = NULL WHERE topic = $1', [topic]);
    await ingestOf(new Map([...held, ...recordsOf(topic, 10, 1)])).read();
    expect(await source()).toEqual(goesOn(11, 11));
  });

  it('stays nowhere until an operator says where to go on, then is there without a new assignment', async () => {
    await tenRead();
    const anew = recordsOf('anew', 0, 30);
    const first = ingestOf(anew);
    await first.read();
    await stopped(/was made anew/);
    await first.claims.resumeSettled();
    await first.readOn();
    expect(await source()).toMatchObject({ records_read: 10, stopped: true });

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
    await first.claims.resumeSettled();
    await first.claims.held();
    await first.readOn();
    expect(await source()).toEqual(goesOn(15, 30));
  });

  it('stays nowhere for the next process too, as long as nothing shows that the cause is gone', async () => {
    await tenRead();
    await ingestOf(recordsOf('anew', 0, 5)).read();
    await stopped(/0 to 5/);
    await log.owner.query('UPDATE log.source SET last_offset = NULL, last_timestamp = NULL WHERE topic = $1', [topic]);
    await ingestOf(recordsOf('anew', 0, 20)).read();
    await stopped(/0 to 5/);
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
