import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { standardTrip } from '@milepost/sample-fleet';

export interface StandardTripFile {
  path: string;
  trips: number;
  /** Bytes of JSON a trip, line end included. */
  bytesPerTrip: number;
}

/** Writes a file of standard trips, all of which can be seen: the last of them began yesterday. */
export async function writeStandardTrips(
  path: string,
  options: { trips: number; points: number; drivers: number; days: number },
): Promise<StandardTripFile> {
  const endDate = dateOf(Date.now() - MILLISECONDS_PER_DAY);
  const out = createWriteStream(path);
  let bytes = 0;
  for (let index = 0; index < options.trips; index += 1) {
    const line = `${standardTrip(index, { seed: 1, endDate, ...options }).value}\n`;
    bytes += Buffer.byteLength(line);
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return { path, trips: options.trips, bytesPerTrip: bytes / options.trips };
}
