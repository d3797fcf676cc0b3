import { setTimeout as delay } from 'node:timers/promises';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { batches } from '../../../apps/cli/simulate/batches.ts';
import type { Broker, Topics } from './broker.ts';

const SEND_EVERY_MILLISECONDS = 10;

interface SteadyOptions {
  tripsPerSecond: number;
  seconds: number;
  /**
   * Called before each send with the record and with the time at which it is due, on the clock of `performance.now()`.
   */
  onDue: (record: SimulatedRecord, dueAt: number) => void;
}

/**
 * Publishes at a fixed rate, in a small request every 10 ms. If a request takes longer, the records that become due
 * wait for the next one. Their delay counts from when they were due.
 *
 * @returns the delay of each request, in milliseconds after its first trip was due
 */
export async function publishSteadily(
  broker: Broker,
  topics: Topics,
  records: Iterator<SimulatedRecord>,
  { tripsPerSecond, seconds, onDue }: SteadyOptions,
): Promise<number[]> {
  const start = performance.now();
  const total = Math.floor(tripsPerSecond * seconds);
  const dueTime = (index: number) => start + (index / tripsPerSecond) * 1000;
  const late: number[] = [];
  let sent = 0;
  for (;;) {
    const now = performance.now();
    const firstDueAt = dueTime(sent);
    const due: SimulatedRecord[] = [];
    for (; sent < total && dueTime(sent) <= now; sent += 1) {
      const { done, value: record } = records.next();
      if (done) throw new Error('There are too few records for this rate.');
      onDue(record, dueTime(sent));
      due.push(record);
    }
    for (const batch of batches(due)) {
      late.push(performance.now() - firstDueAt);
      await broker.send(topics.trips, batch);
    }
    if (sent >= total) return late;
    await delay(Math.max(0, now + SEND_EVERY_MILLISECONDS - performance.now()));
  }
}
