import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type SimulatedRecord, standardTrip } from '@milepost/sample-fleet';

/** How many trips per day a delivery driver makes. */
const TRIPS_OF_DRIVER_A_DAY = 10;

/** Trips of one size, spread over drivers and days. */
export interface TripSize {
  name: 'standard' | 'small';
  /** How many trail points each trip has. */
  points: number;
  drivers: number;
  days: number;
  /** How many different trips a driver makes per day. Additional trips repeat their contents with new ids. */
  originals: number;
}

/** The standard trip: 300 points, 26 kB of JSON. */
export const STANDARD: TripSize = { name: 'standard', points: 300, drivers: 100, days: 30, originals: 2 };

/** The small trip: 10 points, 2 kB of JSON. */
export const SMALL: TripSize = { name: 'small', points: 10, drivers: 400, days: 90, originals: 2 };

/** Returns the id that the source gives trip `index`, which counts from 0. Other sizes use different ids. */
export function sourceTripId(size: TripSize, index: number): string {
  return `${size.name}-trip-${index + 1}`;
}

/**
 * Returns the number of the `standardTrip` at place `index` in driving order. This order goes day by day, and within a
 * day takes one trip from each driver in turn. After the last day, it starts again at the first day with new drivers.
 * If it started again with the same drivers, each trip would cause the later days of its week to be recomputed.
 */
function originalOf({ drivers, days, originals }: TripSize, index: number): { number: number; driversBefore: number } {
  const tripsOfDay = drivers * TRIPS_OF_DRIVER_A_DAY;
  const day = Math.floor(index / tripsOfDay);
  const round = Math.floor((index % tripsOfDay) / drivers) % originals;
  return {
    number: (round * days + (day % days)) * drivers + (index % drivers),
    driversBefore: Math.floor(day / days) * drivers,
  };
}

/**
 * The parts of a trip's JSON before, between and after the trip id and the driver id. The key is the number of the
 * `standardTrip`.
 */
type Contents = Map<number, { fleetId: string; driverId: string; before: string; between: string; after: string }>;

function contentOf(contents: Contents, number: number, { points, drivers, days }: TripSize) {
  const known = contents.get(number);
  if (known) return known;
  const endDate = dateOf(Date.now() - 2 * MILLISECONDS_PER_DAY);
  const { key, value } = standardTrip(number, { seed: 1, endDate, points, drivers, days });
  // A driver's id may contain slashes.
  const fleetId = key.slice(0, key.indexOf('/'));
  const driverId = key.slice(fleetId.length + 1);
  const [before = '', rest = ''] = value.split(`"standard-${number + 1}"`);
  const [between = '', after = ''] = rest.split(`"${driverId}"`);
  const content = { fleetId, driverId, before, between, after };
  contents.set(number, content);
  return content;
}

/** Creates all contents in advance, so that the publisher does not use processor time for this. */
export function makeContents(size: TripSize): Contents {
  const contents: Contents = new Map();
  const count = size.originals * size.days * size.drivers;
  for (let number = 0; number < count; number += 1) contentOf(contents, number, size);
  return contents;
}

/**
 * Yields `trips` records of one size, each of a different trip. The records are in driving order, as a pipeline
 * publishes them. All trips are visible in the API, because the last day is two days ago.
 */
export function* tripRecords(
  size: TripSize,
  trips: number,
  contents: Contents = new Map(),
): Generator<SimulatedRecord, void> {
  for (let index = 0; index < trips; index += 1) {
    const { number, driversBefore } = originalOf(size, index);
    const { fleetId, driverId, before, between, after } = contentOf(contents, number, size);
    const driver = driversBefore === 0 ? driverId : `${driverId}-${driversBefore}`;
    const value = `${before}"${sourceTripId(size, index)}"${between}"${driver}"${after}`;
    yield { topic: 'trips', key: `${fleetId}/${driver}`, value };
  }
}

/** Yields the next `count` items. Later items stay in the iterator. */
export function* take<Item>(items: Iterator<Item, void>, count: number): Generator<Item, void> {
  for (let taken = 0; taken < count; taken += 1) {
    const { done, value } = items.next();
    if (done) return;
    yield value;
  }
}
