import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type SimulatedRecord, standardTrip } from '@milepost/sample-fleet';

/** A driver who delivers drives so many trips a day. */
const TRIPS_OF_DRIVER_A_DAY = 10;

/** Trips of one size, dealt out over drivers and days. */
export interface TripSize {
  name: 'standard' | 'small';
  /** Trail points of each trip. */
  points: number;
  drivers: number;
  days: number;
  /** So many trips of a driver on a day have content of their own; further ones repeat it under ids of their own. */
  originals: number;
}

/** The standard trip: 300 points, 26 kB of JSON. */
export const STANDARD: TripSize = { name: 'standard', points: 300, drivers: 100, days: 30, originals: 2 };

/** The small trip: 10 points, 2 kB of JSON. */
export const SMALL: TripSize = { name: 'small', points: 10, drivers: 400, days: 90, originals: 2 };

/** The id under which the source knows trip `index`, counted from 0: no other size, and no other benchmark's data, has it. */
export function sourceTripId(size: TripSize, index: number): string {
  return `${size.name}-trip-${index + 1}`;
}

/**
 * The number, as `standardTrip` counts, of the `index`-th trip to be driven: day after day, the drivers in turns. When all days
 * are driven, other drivers begin with the first: a trip on a day long past would cost the rest of its week.
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

/** What trips are made of: their JSON around the trip's and the driver's id, by the number that `standardTrip` counts. */
type Contents = Map<number, { fleetId: string; driverId: string; before: string; between: string; after: string }>;

function contentOf(contents: Contents, number: number, { points, drivers, days }: TripSize) {
  const known = contents.get(number);
  if (known) return known;
  const endDate = dateOf(Date.now() - 2 * MILLISECONDS_PER_DAY);
  const { key, value } = standardTrip(number, { seed: 1, endDate, points, drivers, days });
  // A driver's id may have slashes of its own.
  const fleetId = key.slice(0, key.indexOf('/'));
  const driverId = key.slice(fleetId.length + 1);
  const [before = '', rest = ''] = value.split(`"standard-${number + 1}"`);
  const [between = '', after = ''] = rest.split(`"${driverId}"`);
  const content = { fleetId, driverId, before, between, after };
  contents.set(number, content);
  return content;
}

/** Makes all contents beforehand, for a publisher that shall take no processor time to make them. */
export function makeContents(size: TripSize): Contents {
  const contents: Contents = new Map();
  const count = size.originals * size.days * size.drivers;
  for (let number = 0; number < count; number += 1) contentOf(contents, number, size);
  return contents;
}

/**
 * `trips` records of a size, each of another trip, in the order in which they are driven, as a pipeline publishes them. All
 * can be seen: the last day is that before yesterday.
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

/** The next `count` of some records; what comes after them stays to be taken. */
export function* take<Item>(items: Iterator<Item, void>, count: number): Generator<Item, void> {
  for (let taken = 0; taken < count; taken += 1) {
    const { done, value } = items.next();
    if (done) return;
    yield value;
  }
}
