import type { SimulatedRecord } from '@milepost/sample-fleet';
import type { Consumer } from './backlog.ts';
import type { Broker, Topics } from './broker.ts';
import { publishSteadily } from './steady-publisher.ts';
import { untilReadable } from './until-readable.ts';

const SECONDS = 10;
/** Shares of the rate at which a burst was worked through, the highest first. */
const SHARES = [1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** A service keeps up when no more than what comes in so long is left to do when the last trip has gone out. */
const LONGEST_LAG_SECONDS = 1;

/**
 * The highest rate at which trips can be read as fast as they are published, in steps of a tenth of `burstRate`: each is
 * published for 10 s, in the same small requests in which trips arrive one by one, until one leaves no backlog behind.
 *
 * @param published how many trips were published before; all of them can be read
 * @returns the rate, and how many trips are published now
 * @throws Error when not even half of `burstRate` is sustained
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
    console.log(`${tripsPerSecond.toFixed(0)} trips/s for ${SECONDS} s: ${left} were left to do`);
    if (left <= tripsPerSecond * LONGEST_LAG_SECONDS) return { tripsPerSecond, published: total };
  }
  throw new Error(`Not even half of ${burstRate.toFixed(0)} trips/s is sustained.`);
}
