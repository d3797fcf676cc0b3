import type { SimulatedRecord } from '@milepost/sample-fleet';
import type { Consumer } from './backlog.ts';
import type { Broker, Topics } from './broker.ts';
import { size } from './sizes.ts';
import { publishSteadily } from './steady-publisher.ts';
import { untilReadable } from './until-readable.ts';

const SECONDS = size(10, 1);
/** Shares of the rate at which a burst was processed, the highest first. */
const SHARES = [1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** A service sustains a rate if the backlog after the last send is no larger than what is sent in this time. */
const MAX_LAG_SECONDS = 1;

/**
 * Finds the highest rate at which trips become readable as fast as they are published, in steps of a tenth of
 * `burstRate`. Trips are published at each rate for 10 s in small requests, as when they arrive one by one. The result
 * is the first rate that leaves no backlog.
 *
 * @param published how many trips were published before, all of which are readable
 * @returns the rate, and how many trips are published in total
 * @throws Error when the service does not even sustain half of `burstRate`
 */
export async function findSustainedRate(
  consumer: Consumer,
  broker: Broker,
  topics: Topics,
  { records, burstRate, published }: { records: Iterator<SimulatedRecord>; burstRate: number; published: number },
): Promise<{ tripsPerSecond: number; published: number }> {
  let total = published;
  for (const share of SHARES) {
    const tripsPerSecond = burstRate * share;
    await publishSteadily(broker, topics, records, {
      tripsPerSecond,
      seconds: SECONDS,
      onDue: () => {
        total += 1;
      },
    });
    const left = total - (await consumer.readable());
    await untilReadable(consumer.readable, total);
    console.log(`${tripsPerSecond.toFixed(0)} trips/s for ${SECONDS} s: a backlog of ${left}`);
    if (left <= tripsPerSecond * MAX_LAG_SECONDS) return { tripsPerSecond, published: total };
  }
  throw new Error(`The service does not sustain half of ${burstRate.toFixed(0)} trips/s.`);
}
