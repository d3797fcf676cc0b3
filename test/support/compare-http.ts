import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { daysAfter, type Model, mondayBefore } from './model/index.ts';

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

function listAnswers(model: Model, fleetId: string, startDates: readonly string[], now: number): Expected[] {
  const drivers = [1, 7, 100].flatMap((limit) =>
    pagesOf('drivers', model.drivers(fleetId), limit).map((body, index) => ({
      path: `/drivers?limit=${limit}&page=${index + 1}`,
      body,
    })),
  );
  const trips = model.driverIds(fleetId).flatMap((driverId) =>
    startDates.flatMap((date) =>
      pagesOf('trips', model.trips(fleetId, driverId, date, now), 30).map((body, index) => ({
        path: `/driver/${encodeURIComponent(driverId)}/trips?start_date=${date}&limit=30&page=${index + 1}`,
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

/** Sends a request as consumers do: after status 503, waits as long as `Retry-After` says and retries. */
async function fetchWithRetries(url: string, headers: Record<string, string>): Promise<Response> {
  for (let refusals = 0; ; refusals += 1) {
    const response = await fetch(url, { headers });
    const seconds = response.headers.get('retry-after');
    if (response.status !== 503 || seconds === null || refusals === MAX_REFUSALS) return response;
    await response.arrayBuffer();
    await delay(Number(seconds) * 1000);
  }
}

/**
 * Requests every page of the lists, every trip, and every driver's days and weeks from `firstDate` to yesterday, for
 * one fleet. Throws at the first response that differs from the model.
 */
export async function compareOverHttp(
  origin: string,
  key: string,
  model: Model,
  { fleetId, firstDate, now, today }: { fleetId: string; firstDate: string; now: number; today: string },
): Promise<number> {
  const dates: string[] = [];
  for (let date = firstDate; date < today; date = daysAfter(date, 1)) dates.push(date);
  const expected = [
    ...listAnswers(model, fleetId, [firstDate, daysAfter(today, -3)], now),
    ...detailAnswers(model, fleetId, now),
    ...summaryAnswers(model, fleetId, dates, today),
  ];
  const queue = expected.values();
  const headers = { authorization: `APIKEY ${key}`, 'content-type': 'application/json' };
  const ask = async () => {
    for (const { path, body } of queue) {
      const response = await fetchWithRetries(`${origin}/api/v1${path}`, headers);
      expect(response.status, path).toBe(body === null ? 404 : 200);
      const text = await response.text();
      // Comparing strings is much faster, but only a comparison of objects shows where the responses differ.
      if (body !== null && text !== JSON.stringify(body)) expect(JSON.parse(text), path).toEqual(body);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, ask));
  return expected.length;
}
