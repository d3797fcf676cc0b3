import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type SimulatedRecord, standardTrip } from '@milepost/sample-fleet';

/** Trips of one size, dealt out over drivers and days. */
export interface TripSize {
  name: 'standard' | 'small';
  /** Trail points of each trip. */
  points: number;
  drivers: number;
  days: number;
  /** As many trips have content of their own; those after them repeat it under ids of their own. */
  originals: number;
}

/** The standard trip: 300 points, 26 kB of JSON. */
export const STANDARD: TripSize = { name: 'standard', points: 300, drivers: 100, days: 30, originals: 6_000 };

/** The small trip: 10 points, 2 kB of JSON. */
export const SMALL: TripSize = { name: 'small', points: 10, drivers: 1_000, days: 30, originals: 30_000 };

/** The id under which the source knows trip `index`, counted from 0: no other size, and no other benchmark's data, has it. */
export function sourceTripId(size: TripSize, index: number): string {
  return `${size.name}-trip-${index + 1}`;
}

/** `trips` records of a size, each of another trip, all of which can be seen: the last of them began two days ago. */
export function* tripRecords(size: TripSize, trips: number): Generator<SimulatedRecord, void> {
  const endDate = dateOf(Date.now() - 2 * MILLISECONDS_PER_DAY);
  const options = { seed: 1, endDate, points: size.points, drivers: size.drivers, days: size.days };
  const originals: { key: string; before: string; after: string }[] = [];
  for (let index = 0; index < trips; index += 1) {
    let original = originals[index % size.originals];
    if (original === undefined) {
      const { key, value } = standardTrip(index, options);
      const [before = '', after = ''] = value.split(`"standard-${index + 1}"`);
      original = { key, before, after };
      originals.push(original);
    }
    const { key, before, after } = original;
    yield { topic: 'trips', key, value: `${before}"${sourceTripId(size, index)}"${after}` };
  }
}

/** The next `count` of some records; what comes after them stays to be taken. */
export function* take<Item>(items: Iterator<Item, void>, count: number): Generator<Item, void> {
  for (let taken = 0; taken < count; taken += 1) {
    const { done, value } = items.next();
    if (done) return;
    yield value;
  }
}
