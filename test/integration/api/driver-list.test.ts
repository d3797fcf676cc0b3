import { beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

describeWithPostgres('GET /api/v1/drivers', () => {
  const world = perSuite(createWorld);

  const trip = (fleet_id: string, driver_id: string, number: number, trip_start_time: number) =>
    tripProcessed({ fleet_id, driver_id, source_trip_id: `trip-${number}`, trip_start_time });
  beforeAll(async () => {
    for (const fleet_id of ['acme', 'growing'])
      await world.take([
        trip(fleet_id, 'zoe', 1, DEFAULT_TRIP_START),
        driverProfile({ fleet_id, driver_id: 'adam', first_name: 'Adam' }),
        trip(fleet_id, 'mia', 2, Date.UTC(2025, 0, 3, 23, 59)),
        trip(fleet_id, 'mia', 3, Date.UTC(2025, 0, 5)),
      ]);
  });

  const list = async (query = '', request = {}) =>
    contentOf(await world.get(`/api/v1/drivers${query}`, request), DriverPage);
  const ids = async (query: string, request = {}) =>
    (await list(query, request)).drivers.map((driver) => driver.driver_id);

  it('returns drivers in the order of first appearance, whatever their ids and later records', async () => {
    expect(await ids('')).toEqual(['zoe', 'adam', 'mia']);
    expect(await list()).toMatchObject({ count: 3, current_page: 1, next_page: null, limit: 50 });
  });

  it('returns a driver without a profile with null names, and later the names and travel dates', async () => {
    const { drivers } = await list();
    expect(drivers[1]).toEqual({
      ...{ driver_id: 'adam', first_name: 'Adam', last_name: 'Lovelace', email: 'ada@example.com', alias: null },
      ...{ first_travel_date: null, last_travel_date: null },
    });
    expect(drivers[2]).toEqual({
      ...{ driver_id: 'mia', first_name: null, last_name: null, email: null, alias: null },
      ...{ first_travel_date: '2025-01-03', last_travel_date: '2025-01-05' },
    });
  });

  it('returns pages without gaps or duplicates, with the total count', async () => {
    expect(await list('?limit=2')).toMatchObject({ count: 3, current_page: 1, next_page: 2, limit: 2 });
    expect(await list('?limit=2&page=2')).toMatchObject({ count: 3, current_page: 2, next_page: null, limit: 2 });
    expect([...(await ids('?limit=2')), ...(await ids('?limit=2&page=2'))]).toEqual(['zoe', 'adam', 'mia']);
    expect(await list('?limit=3')).toMatchObject({ next_page: null });
  });

  it.each(['2', '90071992547409', '9007199254740991'])(
    'returns an empty page %s after the end, with the correct count',
    async (page) => {
      const empty = { count: 3, current_page: Number(page), next_page: null, limit: 50, drivers: [] };
      expect(await list(`?page=${page}`)).toEqual(empty);
    },
  );

  it('keeps drivers on their pages when a driver or a trip is added', async () => {
    const fleet_id = 'growing';
    const request = { key: await world.createKey(fleet_id) };
    const before = await ids('?limit=2', request);
    await world.take([
      tripDeleted({ fleet_id, source_trip_id: 'trip-1' }),
      trip(fleet_id, 'aaa', 4, DEFAULT_TRIP_START),
    ]);
    expect(await ids('?limit=2', request)).toEqual(before);
    expect(await ids('?limit=2&page=2', request)).toEqual(['mia', 'aaa']);
  });
});
