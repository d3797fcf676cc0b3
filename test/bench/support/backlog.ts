import type { ChildProcess } from 'node:child_process';
import { processorSeconds } from './processor-time.ts';
import { untilReadable } from './until-readable.ts';

/**
 * The measurement begins once this share of the trips is stored, so that it excludes the consumer's start, assignment
 * and first fetch.
 */
const STEADY_SHARE = 0.1;

/** A running service that processes a backlog. */
export interface Consumer {
  /** Returns how many trips have been durably stored so far. Some of them may not be readable yet. */
  stored: () => Promise<number>;
  /** Returns how many trips are readable so far. */
  readable: () => Promise<number>;
  /** The ids of the service's processes and of the processes that it uses, by name. */
  processIds: Record<string, number | undefined>;
  /** The processes that must not end before the backlog is processed. */
  children: ChildProcess[];
  /** Ends the processes in order and drops the database. */
  stop: () => Promise<void>;
}

/** What was measured while a backlog was processed. */
export type BacklogFigures = Awaited<ReturnType<typeof workThrough>>;

/**
 * Waits until `total` trips are readable. Polls every 20 ms.
 *
 * @throws Error when a process ends, or when no trip becomes readable for a minute
 */
export async function workThrough(consumer: Consumer, total: number) {
  const start = performance.now();
  /** The state when the measurement begins, with the processor seconds used so far. */
  let steady = { trips: 0, at: start, used: processorSeconds({}) };
  let isSteady = false;
  const readable = async () => {
    if (consumer.children.some((child) => child.exitCode !== null || child.signalCode !== null)) {
      throw new Error('A process exited before the backlog was processed.');
    }
    if (!isSteady) {
      const trips = await consumer.stored();
      isSteady = trips >= total * STEADY_SHARE;
      if (isSteady) steady = { trips, at: performance.now(), used: processorSeconds(consumer.processIds) };
    }
    return await consumer.readable();
  };
  await untilReadable(readable, total);
  const end = performance.now();
  const used = Object.entries(processorSeconds(consumer.processIds)).map(([name, seconds]): [string, number] => {
    return [name, seconds - (steady.used[name] ?? 0)];
  });
  const steadySeconds = (end - steady.at) / 1000;
  return {
    /**
     * The rate from the moment when a tenth of the trips was stored until all were readable, not counting that tenth.
     * It excludes the startup of the processes and of the consumer group, but includes everything that a service does
     * until trips are readable.
     */
    tripsPerSecond: (total - steady.trips) / steadySeconds,
    secondsFromStart: (end - start) / 1000,
    /** The number of seconds over which the rate was measured. */
    steadySeconds,
    /** The processor seconds that each process used in this time. */
    processorSeconds: used,
  };
}

/** Returns one line with a round's result and each process's processor time. */
export function describeBacklog(name: string, figures: BacklogFigures): string {
  const used = figures.processorSeconds;
  const sum = used.reduce((total, [, seconds]) => total + seconds, 0);
  const shares = used.map(
    ([owner, seconds]) => `${owner} ${seconds.toFixed(2)} s (${((seconds / sum) * 100).toFixed(0)}%)`,
  );
  const rate = `${figures.tripsPerSecond.toFixed(0)} trips/s, all after ${figures.secondsFromStart.toFixed(1)} s`;
  return `${name}: ${rate}; processor time in the steady ${figures.steadySeconds.toFixed(1)} s: ${shares.join(', ')}`;
}
