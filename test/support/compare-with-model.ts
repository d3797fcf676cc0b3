import { setTimeout as delay } from 'node:timers/promises';
import { exactJson } from '@milepost/domain/exact-json';
import type { Pool } from '@milepost/postgres';
import { expect } from 'vitest';
import type { Answer } from './answers.ts';
import { headersOf } from './http.ts';
import { daysAfter, type Model, mondayBefore, utcDate } from './model/index.ts';

const REQUESTS_AT_ONCE = 16;
const MAX_DRIVERS = 20;
const TRIPS_PER_DETAIL_PAGE = 5;

/** Returns the pages of a list in the endpoints' response envelope, including the empty page past the end. */
function pagesOf(name: 'drivers' | 'trips', records: readonly object[], limit: number): object[] {
  const pages = Math.ceil(records.length / limit) + 1;
  return Array.from({ length: pages }, (_, index) => ({
    count: records.length,
    current_page: index + 1,
    next_page: (index + 1) * limit < records.length ? index + 2 : null,
    limit,
    [name]: records.slice(index * limit, (index + 1) * limit),
  }));
}

/** An expected response. A null `body` means 404. */
interface Expected {
  path: string;
  body: object | null;
}

function listAnswers(
  model: Model,
  fleetId: string,
  startDates: readonly string[],
  { now, limit: tripLimit }: { now: number; limit: number },
): Expected[] {
  const drivers = [1, 7, 100].flatMap((limit) =>
    pagesOf('drivers', model.drivers(fleetId), limit).map((body, index) => ({
      path: `/drivers?limit=${limit}&page=${index + 1}`,
      body,
    })),
  );
  const trips = model.driverIds(fleetId).flatMap((driverId) =>
    startDates.flatMap((date) =>
      pagesOf('trips', model.trips(fleetId, driverId, date, now), tripLimit).map((body, index) => ({
        path: `/driver/${encodeURIComponent(driverId)}/trips?start_date=${date}&limit=${tripLimit}&page=${index + 1}`,
        body,
      })),
    ),
  );
  return [...drivers, ...trips];
}

function detailAnswers(model: Model, fleetId: string, now: number): Expected[] {
  const byTripId = model.everyTripId(fleetId).map((tripId) => {
    const found = model.tripsById(fleetId, tripId, now);
    const [body] = pagesOf('trips', found, TRIPS_PER_DETAIL_PAGE);
    return { path: `/trip/trip_id/${tripId}`, body: found.length === 0 ? null : (body ?? null) };
  });
  const trackingIds = new Set(model.allTrips(fleetId).flatMap((trip) => trip.tracking_id ?? []));
  const byTrackingId = [...trackingIds].flatMap((trackingId) => {
    const found = model.tripsByTrackingId(fleetId, trackingId, now);
    return pagesOf('trips', found, TRIPS_PER_DETAIL_PAGE).map((body, index) => ({
      path: `/trip/tracking_id/${encodeURIComponent(trackingId)}?page=${index + 1}`,
      body: found.length === 0 ? null : body,
    }));
  });
  return [...byTripId, ...byTrackingId];
}

function summaryAnswers(model: Model, fleetId: string, dates: readonly string[], today: string): Expected[] {
  const drivers = model.driverIds(fleetId);
  const groups = Array.from({ length: Math.ceil(drivers.length / MAX_DRIVERS) }, (_, index) =>
    drivers.slice(index * MAX_DRIVERS, (index + 1) * MAX_DRIVERS),
  );
  return groups.flatMap((group) => {
    const ids = group.map((id) => `&driver_id=${encodeURIComponent(id)}`).join('');
    const path = (endpoint: string, date: string) => `/driver-aggregate/${endpoint}?start_date=${date}${ids}`;
    const days = dates.map((date) => ({
      path: path('daily', date),
      body: { data: group.map((driver) => model.daily(fleetId, driver, date)) },
    }));
    const mondays = new Set(dates.map(mondayBefore).filter((monday) => monday < today));
    const weeks = [...mondays].map((monday) => ({
      path: path('weekly', monday),
      body: { data: group.map((driver) => model.weekly(fleetId, driver, monday, today)) },
    }));
    return [...days, ...weeks];
  });
}

const MAX_REFUSALS = 30;

/** Requests a path below `/api/v1`. */
type Ask = (path: string) => Promise<Pick<Answer, 'statusCode' | 'body'>>;

/** Sends requests as consumers do: after status 503, waits as long as `Retry-After` says and retries. */
export function askOverHttp(origin: string, key: string): Ask {
  return async (path) => {
    for (let refusals = 0; ; refusals += 1) {
      const response = await fetch(`${origin}/api/v1${path}`, { headers: headersOf(key) });
      const seconds = response.headers.get('retry-after');
      const body = await response.text();
      if (response.status !== 503 || seconds === null || refusals === MAX_REFUSALS) {
        return { statusCode: response.status, body };
      }
      await delay(Number(seconds) * 1000);
    }
  };
}

/**
 * Requests every page of the lists, every trip, and every driver's days and weeks from `firstDate` to yesterday, for
 * one fleet at the time `now`. Throws at the first response that differs from the model.
 *
 * @returns the number of responses
 */
export async function compareAnswers(
  ask: Ask,
  model: Model,
  { fleetId, firstDate, now, limit = 30 }: { fleetId: string; firstDate: string; now: number; limit?: number },
): Promise<number> {
  const today = utcDate(now);
  const dates: string[] = [];
  for (let date = firstDate; date < today; date = daysAfter(date, 1)) dates.push(date);
  const expected = [
    ...listAnswers(model, fleetId, [firstDate, daysAfter(today, -3)], { now, limit }),
    ...detailAnswers(model, fleetId, now),
    ...summaryAnswers(model, fleetId, dates, today),
  ];
  const queue = expected.values();
  const compare = async () => {
    for (const { path, body } of queue) {
      const answer = await ask(path);
      expect(answer.statusCode, path).toBe(body === null ? 404 : 200);
      // Comparing strings is much faster, but only a comparison of objects shows where the responses differ.
      if (body !== null && answer.body !== exactJson(body)) expect(JSON.parse(answer.body), path).toEqual(body);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, compare));
  return expected.length;
}

/** Compares the number of rows that a fleet has in each read table with the model. */
export async function compareRowCounts(owner: Pool, model: Model, fleetId: string): Promise<void> {
  const expected = model.rowCounts(fleetId);
  const counts = Object.keys(expected).map(
    (table) => `(SELECT count(*) FROM ${table} WHERE fleet_id = $1) AS ${table}`,
  );
  const { rows } = await owner.query(`SELECT ${counts.join(', ')}`, [fleetId]);
  expect(rows).toEqual([expected]);
}
