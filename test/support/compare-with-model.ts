import type { Pool } from '@milepost/postgres';
import {
  dailySummaries,
  findTrip,
  findTripsByTrackingId,
  listDrivers,
  listTrips,
  type Page,
  weeklySummaries,
} from '@milepost/projections/queries';
import { expect } from 'vitest';
import { daysAfter, type Model, mondayBefore, utcDate } from './model/index.ts';

const FOUR_HOURS = 4 * 3_600_000;
const DETAIL_LIMIT = 5;

function parsed(items: string): unknown[] {
  const list: unknown[] = JSON.parse(`[${items}]`);
  return list;
}

/**
 * Returns all items of a list, which it reads page by page, or null if the query finds no such list. The count on the
 * first empty page must be equal to the total.
 */
async function allPages(limit: number, read: (page: number) => Promise<Page | null>): Promise<unknown[] | null> {
  const found: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await read(page);
    if (answer === null) return null;
    const items = parsed(answer.items);
    if (items.length === 0) {
      expect(answer.count).toBe(found.length);
      return found;
    }
    expect(items.length).toBeLessThanOrEqual(limit);
    found.push(...items);
  }
}

/** Compares the results of all queries for a fleet's trips with the model. */
async function compareTrips(api: Pool, model: Model, fleetId: string, now: number, limit: number): Promise<void> {
  const endedBy = now - FOUR_HOURS;
  const trips = model.allTrips(fleetId);
  for (const driverId of model.driverIds(fleetId)) {
    for (const startDate of new Set([
      '2001-09-10',
      ...trips.slice(0, 2).map((trip) => utcDate(trip.trip_start_time)),
    ])) {
      const startsFrom = Date.parse(startDate);
      const listed = await allPages(limit, (page) =>
        listTrips(api, { fleetId, driverId, startsFrom, endedBy, page, limit }),
      );
      expect(listed, `trips of ${driverId} from ${startDate}`).toEqual(model.trips(fleetId, driverId, startDate, now));
    }
  }
  for (const tripId of model.everyTripId(fleetId)) {
    const found = await findTrip(api, tripId, { fleetId, endedBy, page: 1, limit: DETAIL_LIMIT });
    expect(parsed(found?.items ?? ''), `trip ${tripId}`).toEqual(model.tripsById(fleetId, tripId, now));
  }
  for (const trackingId of new Set(trips.map((trip) => trip.tracking_id ?? 'none'))) {
    const found = await allPages(DETAIL_LIMIT, (page) =>
      findTripsByTrackingId(api, trackingId, { fleetId, endedBy, page, limit: DETAIL_LIMIT }),
    );
    expect(found ?? [], `tracking id ${trackingId}`).toEqual(model.tripsByTrackingId(fleetId, trackingId, now));
  }
}

async function compareSummaries(api: Pool, model: Model, fleetId: string, dates: readonly string[], now: number) {
  const drivers = model.driverIds(fleetId);
  const today = utcDate(now);
  for (const date of dates) {
    const answer = await dailySummaries(api, fleetId, drivers, date);
    expect('items' in answer && parsed(answer.items), `day ${date}`).toEqual(
      drivers.map((driver) => model.daily(fleetId, driver, date)),
    );
  }
  for (const monday of new Set(dates.map(mondayBefore))) {
    const endDate = daysAfter(monday, 6);
    const throughDate = endDate < today ? endDate : daysAfter(today, -1);
    const answer = await weeklySummaries(api, fleetId, drivers, { startDate: monday, endDate, throughDate });
    expect('items' in answer && parsed(answer.items), `week ${monday}`).toEqual(
      drivers.map((driver) => model.weekly(fleetId, driver, monday, today)),
    );
  }
}

/** Runs all queries about a fleet for the days `dates`, at the time `now`, and compares the results with the model. */
export async function compareAnswers(
  api: Pool,
  model: Model,
  fleetId: string,
  { dates, now, limit }: { dates: readonly string[]; now: number; limit: number },
): Promise<void> {
  const drivers = await allPages(limit, (page) => listDrivers(api, fleetId, { page, limit }));
  expect(drivers, `drivers of ${fleetId}`).toEqual(model.drivers(fleetId));
  await compareTrips(api, model, fleetId, now, limit);
  await compareSummaries(api, model, fleetId, dates, now);
}

/** Compares the number of a fleet's rows in each read table with the model. */
export async function compareRowCounts(owner: Pool, model: Model, fleetId: string): Promise<void> {
  const expected = model.rowCounts(fleetId);
  const counts = Object.keys(expected).map(
    (table) => `(SELECT count(*) FROM ${table} WHERE fleet_id = $1) AS ${table}`,
  );
  const { rows } = await owner.query(`SELECT ${counts.join(', ')}`, [fleetId]);
  expect(rows).toEqual([expected]);
}
