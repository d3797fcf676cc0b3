import { afterAll, beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf } from '../../support/answers.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

describeWithPostgres('GET /api/v1/drivers', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
    await world.ingest([
      tripProcessed({ driver_id: 'zoe', source_trip_id: 'trip-1' }),
      driverProfile({ driver_id: 'adam', first_name: 'Adam' }),
      tripProcessed({ driver_id: 'mia', source_trip_id: 'trip-2', trip_start_time: Date.UTC(2025, 0, 3, 23, 59) }),
      tripProcessed({ driver_id: 'mia', source_trip_id: 'trip-3', trip_start_time: Date.UTC(2025, 0, 5) }),
    ]);
    await world.project();
  });
  afterAll(async () => await world?.close());

  const list = async (query = '') => contentOf(await world.get(`/api/v1/drivers${query}`), DriverPage);
  const ids = async (query: string) => (await list(query)).drivers.map((driver) => driver.driver_id);

  it('returns all drivers in the envelope of the interface, 50 on page 1 by default', async () => {
    expect(await list()).toMatchObject({ count: 3, current_page: 1, next_page: null, limit: 50 });
  });

  it('returns drivers in the order of first appearance, whatever the ids and later records', async () => {
    expect(await ids('')).toEqual(['zoe', 'adam', 'mia']);
  });

  it('returns a driver without a profile with null names, and later the names and travel dates', async () => {
    const { drivers } = await list();
    expect(drivers[1]).toEqual({
      driver_id: 'adam',
      first_name: 'Adam',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      alias: null,
      first_travel_date: null,
      last_travel_date: null,
    });
    expect(drivers[2]).toEqual({
      driver_id: 'mia',
      first_name: null,
      last_name: null,
      email: null,
      alias: null,
      first_travel_date: '2025-01-03',
      last_travel_date: '2025-01-05',
    });
  });

  it('returns pages without gaps or duplicates, with the count over all pages', async () => {
    expect(await list('?limit=2')).toMatchObject({ count: 3, current_page: 1, next_page: 2, limit: 2 });
    expect(await list('?limit=2&page=2')).toMatchObject({ count: 3, current_page: 2, next_page: null, limit: 2 });
    expect([...(await ids('?limit=2')), ...(await ids('?limit=2&page=2'))]).toEqual(['zoe', 'adam', 'mia']);
    expect(await list('?limit=3')).toMatchObject({ next_page: null });
  });

  it.each(['2', '90071992547409', '9007199254740991'])(
    'returns an empty page %s after the end, with the correct count',
    async (page) => {
      expect(await list(`?page=${page}`)).toEqual({
        count: 3,
        current_page: Number(page),
        next_page: null,
        limit: 50,
        drivers: [],
      });
    },
  );

  it('keeps drivers on their pages when a driver or a trip is added', async () => {
    const before = await ids('?limit=2');
    await world.ingest([
      tripDeleted({ source_trip_id: 'trip-1' }),
      tripProcessed({ driver_id: 'aaa', source_trip_id: 'trip-4' }),
    ]);
    await world.project();
    expect(await ids('?limit=2')).toEqual(before);
    expect(await ids('?limit=2&page=2')).toEqual(['mia', 'aaa']);
  });
});
