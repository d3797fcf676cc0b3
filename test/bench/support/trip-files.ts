import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { standardTrip } from '@milepost/sample-fleet';
import { SMALL, tripRecords } from './trip-records.ts';

export interface TripFile {
  path: string;
  trips: number;
  /** The mean size of a trip's JSON in bytes, including the line end. */
  bytesPerTrip: number;
}

async function writeLines(path: string, values: Iterable<string>): Promise<TripFile> {
  const out = createWriteStream(path);
  let trips = 0;
  let bytes = 0;
  for (const value of values) {
    const line = Buffer.from(`${value}\n`);
    trips += 1;
    bytes += line.byteLength;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return { path, trips, bytesPerTrip: bytes / trips };
}

/** Writes a file of standard trips. All of them are visible in the API, because the last one began yesterday. */
export async function writeStandardTrips(
  path: string,
  options: { trips: number; points: number; drivers: number; days: number },
): Promise<TripFile> {
  const endDate = dateOf(Date.now() - MILLISECONDS_PER_DAY);
  const numbers = Array.from({ length: options.trips }, (_, index) => index);
  const values = Iterator.from(numbers).map((index) => standardTrip(index, { seed: 1, endDate, ...options }).value);
  return await writeLines(path, values);
}

/** Writes a file of small trips, ten per driver per day. All of them are visible in the API. */
export async function writeSmallTrips(path: string, trips: number): Promise<TripFile> {
  return await writeLines(
    path,
    Iterator.from(tripRecords(SMALL, trips)).map(({ value }) => value),
  );
}
