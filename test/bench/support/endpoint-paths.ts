import { addDays, dateOf, MILLISECONDS_PER_DAY, mondayOf, startOfDay } from '@milepost/domain/calendar';
import type { Pool } from 'pg';
import { drawFrom } from '../../support/draw.ts';
import { firstValue } from '../../support/tables.ts';
import { FLEET } from './reading-api.ts';

export const ENDPOINTS = ['driver list', 'trip list', 'trip detail', 'daily summary', 'weekly summary'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

const SUMMARISED_DRIVERS = 20;
const PAGE = 100;

interface DrawnDriver {
  driver_id: string;
  /** The first trip after a random time or, if there is none, the driver's first. Null if this trip has no trail. */
  trip_id: string | null;
}

/** Returns random drivers, each with a random trip. */
async function readDrivers(database: Pool, ordinals: readonly number[], times: readonly number[]) {
  const { rows } = await database.query<DrawnDriver>(
    `SELECT driver.driver_id, (
       SELECT replace(trip_id::text, '-', '') FROM (
         SELECT trip_id, trail_path FROM trips trip
         WHERE trip.fleet_id = $1 AND trip.driver_id = driver.driver_id
         ORDER BY trip_start_time < drawn.time, trip_start_time LIMIT 1) trip
       WHERE trail_path IS NOT NULL) AS trip_id
     FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS drawn (ordinal, time, place)
     JOIN drivers driver ON driver.fleet_id = $1 AND driver.ordinal = drawn.ordinal ORDER BY place`,
    [FLEET, ordinals, times],
  );
  return rows;
}

/**
 * Returns this many requests to every endpoint for random drivers, trips and days in a filled database. Each request
 * asks for the maximum number of items.
 *
 * @param filledDays the number of past days with trips; the requests do not ask for the first two weeks
 */
export async function drawPaths(database: Pool, seed: number, requests: number, filledDays: number) {
  const draw = drawFrom(seed);
  const days = filledDays - 14;
  const last = await firstValue(database, 'SELECT max(ordinal) FROM drivers WHERE fleet_id = $1', [FLEET]);
  const drivers = Number(last);
  const startDate = addDays(dateOf(Date.now()), -days);
  const ordinals = Array.from({ length: requests }, () => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(SUMMARISED_DRIVERS, drivers)) chosen.add(1 + draw(drivers));
    return [...chosen];
  });
  const times = ordinals.flat().map(() => startOfDay(startDate) + draw(days - 2) * MILLISECONDS_PER_DAY);
  const drawn = await readDrivers(database, ordinals.flat(), times);
  const tripIds = [...new Set(drawn.flatMap(({ trip_id }) => trip_id ?? []))];
  return ordinals.map(({ length }, request): Record<Endpoint, string> => {
    const chosen = drawn.slice(request * length, (request + 1) * length);
    const ids = chosen.map(({ driver_id }) => `driver_id=${encodeURIComponent(driver_id)}`).join('&');
    const day = addDays(startDate, draw(days));
    return {
      'driver list': `/api/v1/drivers?limit=${PAGE}&page=${1 + draw(Math.max(1, Math.floor(drivers / PAGE)))}`,
      'trip list': `/api/v1/driver/${encodeURIComponent(chosen[0]?.driver_id ?? '')}/trips?start_date=${startDate}&limit=${PAGE}`,
      'trip detail': `/api/v1/trip/trip_id/${tripIds[request % tripIds.length]}`,
      'daily summary': `/api/v1/driver-aggregate/daily?start_date=${day}&${ids}`,
      'weekly summary': `/api/v1/driver-aggregate/weekly?start_date=${mondayOf(addDays(day, -7))}&${ids}`,
    };
  });
}
