import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';
import { FleetLanes } from '@milepost/postgres/lanes';
import { pino } from 'pino';
import { FetchLimit } from '../../../apps/ingest/kafka/fetch-queue.ts';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Partition } from '../../../apps/ingest/kafka/partition.ts';
import type { SimulatedProcess, Simulation } from '../kernel/simulation.ts';
import { TOPIC } from './invariants.ts';
import { preparedOf, type StreamRecord, timestampOf } from './stream.ts';

const FLUSH_MILLISECONDS = 100;
const MAX_FETCHED = 3;
const SILENT = pino({ level: 'silent' });

/** A partition's records on the broker. */
export interface Broker {
  records: StreamRecord[];
  /** Called when records are added. */
  onGrowth: Set<() => void>;
}

/** Runs a partition in a process, as the consumer does after an assignment, until the returned `end` is called. */
export function runPartition(
  simulation: Simulation,
  process: SimulatedProcess,
  broker: Broker,
  pools: ReadonlyMap<number, Pool>,
  directory: Pool,
): { end: () => void; refetch: () => void } {
  const assignment = new AbortController();
  const { signal } = assignment;
  const fleets = new FleetLanes(
    directory,
    async () => await Promise.reject(new Error('Every fleet has a lane already.')),
  );
  const appenders = new Map([...pools].map(([lane, pool]) => [lane, new JointAppender(pool)]));
  let position = 0;
  let isPaused = true;
  let isFetching = false;
  const fetch = () => {
    if (isFetching || isPaused || position >= broker.records.length || signal.aborted) return;
    isFetching = true;
    simulation.add(process, () => {
      isFetching = false;
      if (!isPaused && position < broker.records.length && !signal.aborted) deliver();
      fetch();
    });
  };
  const deliver = () => {
    const first = position;
    const count = 1 + simulation.choices.below(MAX_FETCHED);
    position = Math.min(broker.records.length, first + count);
    const records = broker.records.slice(first, position).map(({ raw }, index) => ({
      offset: first + index,
      timestamp: timestampOf(first + index),
      value: raw,
    }));
    simulation.note(() => `${process.name} fetches the offsets ${first} to ${position - 1}`);
    // If the partition does not take the records, the next fetch starts at the offset that the partition requests.
    partition.add({ first, end: position, records });
  };
  const consumer = {
    seek: ({ offset }: { offset: string }) => {
      position = Number(offset);
      fetch();
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      fetch();
    },
  };
  const held = () => ({ partition: 0, low: '0', offset: '0', high: String(broker.records.length) });
  const partition = new Partition(TOPIC, 0, {
    lanes: { pools, fleets, appenders, turns: new Map(), areCurrent: async () => true },
    admin: { fetchTopicOffsets: async () => [held()] },
    limit: new FetchLimit(consumer),
    reader: {
      prepare: async (records) => records.map(({ offset, value: raw }) => ({ offset, raw, prepared: preparedOf(raw) })),
    },
    logger: SILENT,
    comparisonMilliseconds: 5_000,
    signal,
  });
  broker.onGrowth.add(fetch);
  simulation.start(process, async () => await partition.run());
  simulation.start(process, async () => {
    while (!signal.aborted) {
      await delay(FLUSH_MILLISECONDS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      void partition.flush();
      // The real consumer makes this call too, because otherwise no comparison would follow a return to an earlier
      // offset.
      partition.compare('due');
    }
  });
  return {
    end: () => {
      broker.onGrowth.delete(fetch);
      assignment.abort(new Error('The assignment has ended.'));
    },
    refetch: () => {
      position = Math.max(0, position - 1);
      fetch();
    },
  };
}
