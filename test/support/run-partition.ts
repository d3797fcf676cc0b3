import { setTimeout as delay } from 'node:timers/promises';
import type { FetchedRecord } from '@milepost/domain/records';
import { pino } from 'pino';
import { FetchLimit } from '../../apps/ingest/kafka/fetch-queue.ts';
import { Partition, type PartitionOptions } from '../../apps/ingest/kafka/partition.ts';

const FETCH_MILLISECONDS = 5;
/** The time of the first record, in epoch milliseconds. */
export const FIRST_TIME = 1_736_900_000_000;

/** A partition on the broker. */
interface Broker {
  /** Returns the first offset that retention has kept, and the next offset. */
  range: () => [low: number, high: number];
  /** Returns the offsets that a fetch from this position covers, with their records. Null means that there are none. */
  fetch: (position: number) => { first: number; last: number; records: readonly FetchedRecord[] } | null;
}

/** The part of a Kafka consumer that a partition uses. */
class StubConsumer {
  position = 0;
  isPaused = true;
  readonly seeks: string[] = [];

  seek({ offset }: { offset: string }): void {
    this.seeks.push(offset);
    this.position = Number(offset);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}

/** Returns a record as it is fetched. By default, each offset is a millisecond later than the last. */
export function fetchedRecord(offset: number, value: Buffer, timestamp = FIRST_TIME + offset): FetchedRecord {
  return { offset, timestamp, value };
}

/** Runs a partition until the signal aborts, and fetches in a loop from the consumer's position unless it is paused. */
export function runPartition(
  topic: string,
  number: number,
  broker: Broker,
  options: Pick<PartitionOptions, 'lanes' | 'reader' | 'signal'> & Partial<PartitionOptions>,
) {
  const consumer = new StubConsumer();
  const limit = new FetchLimit(consumer);
  const fetchTopicOffsets = async () => {
    const [low = '', high = ''] = broker.range().map(String);
    return [{ partition: number, offset: high, high, low }];
  };
  const partition = new Partition(topic, number, {
    admin: { fetchTopicOffsets },
    limit,
    logger: pino({ level: 'silent' }),
    comparisonMilliseconds: 60_000,
    ...options,
  });
  const fetchOn = async () => {
    for (; !options.signal.aborted; await delay(FETCH_MILLISECONDS)) {
      const fetched = consumer.isPaused ? null : broker.fetch(consumer.position);
      if (fetched === null) continue;
      consumer.position = fetched.last + 1;
      partition.add({ first: fetched.first, end: fetched.last + 1, records: fetched.records });
    }
  };
  return { partition, consumer, limit, ended: Promise.all([partition.run(), fetchOn()]) };
}
