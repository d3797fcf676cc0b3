import type { ChildProcess } from 'node:child_process';
import { processorSeconds, processorSecondsSince } from './processor-time.ts';
import { untilReadable } from './until-readable.ts';

/** From here on a consumer's start, its assignment and its first fetch no longer count. */
const STEADY_SHARE = 0.1;

/** A service that works through a backlog, from its start on. */
export interface Consumer {
  /** How many of the trips are stored for good by now; not all of them need be readable. */
  stored: () => Promise<number>;
  /** How many of the trips can be read by now. */
  readable: () => Promise<number>;
  /** Its processes and those that serve it, by name. */
  processIds: Record<string, number | null | undefined>;
  /** Those that must not end meanwhile. */
  children: ChildProcess[];
}

/** How a backlog was worked through. */
export interface BacklogFigures {
  /**
   * From the moment when a tenth was stored until all was readable, without what was stored by then: so the start of the
   * processes and of the group does not count, and nothing that a service does before trips are readable is left out.
   */
  tripsPerSecond: number;
  secondsFromStart: number;
  /** Over the same stretch as the rate. */
  steadySeconds: number;
  processorSeconds: Record<string, number>;
}

/** Where the steady stretch begins. */
interface SteadyStart {
  trips: number;
  at: number;
  /** Processor seconds used before. */
  used: Record<string, number>;
}

/**
 * Waits until `total` trips can be read, looking every 20 ms.
 *
 * @throws Error when a process ends, or nothing moves for a minute
 */
export async function workThrough(consumer: Consumer, total: number): Promise<BacklogFigures> {
  const start = performance.now();
  let steady: SteadyStart = { trips: 0, at: start, used: {} };
  let isSteady = false;
  let end = start;
  const readable = async () => {
    if (consumer.children.some((child) => child.exitCode !== null || child.signalCode !== null)) {
      throw new Error('A process ended before the backlog did.');
    }
    if (!isSteady) {
      const trips = await consumer.stored();
      isSteady = trips >= total * STEADY_SHARE;
      if (isSteady) steady = { trips, at: performance.now(), used: processorSeconds(consumer.processIds) };
    }
    return await consumer.readable();
  };
  await untilReadable(readable, total, (_, at) => {
    end = at;
  });
  const used = processorSecondsSince(steady.used, consumer.processIds);
  const steadySeconds = (end - steady.at) / 1000;
  return {
    tripsPerSecond: (total - steady.trips) / steadySeconds,
    secondsFromStart: (end - start) / 1000,
    steadySeconds,
    processorSeconds: used,
  };
}

/** Says in one line what a round took, and of whose processor time. */
export function describeBacklog(name: string, figures: BacklogFigures): string {
  const used = Object.entries(figures.processorSeconds);
  const sum = used.reduce((total, [, seconds]) => total + seconds, 0);
  const shares = used.map(
    ([owner, seconds]) => `${owner} ${seconds.toFixed(2)} s (${((seconds / sum) * 100).toFixed(0)} %)`,
  );
  const rate = `${figures.tripsPerSecond.toFixed(0)} trips/s, all after ${figures.secondsFromStart.toFixed(1)} s`;
  return `${name}: ${rate}; processor time in the steady ${figures.steadySeconds.toFixed(1)} s: ${shares.join(', ')}`;
}
