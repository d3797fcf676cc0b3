import { beforeAll, expect, it } from 'vitest';
import { TripListPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { DEFAULT_TRIP_START, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, DEFAULT_NOW } from '../../support/world.ts';

const HOUR = 3_600_000;
/** So many trips have the same start time that a wrong order cannot match the right order by chance. */
const TIES = 12;

describeWithPostgres('GET /api/v1/driver/<driver_id>/trips', () => {
  const world = perSuite(createWorld);

  beforeAll(async () => {
    await world.take([
      tripProcessed({ source_trip_id: 'late', trip_start_time: DEFAULT_TRIP_START + 2 * HOUR }),
      ...Array.from({ length: TIES }, (_, index) => tripProcessed({ source_trip_id: `same-${index}` })),
      tripProcessed({ source_trip_id: 'before', trip_start_time: Date.UTC(2025, 0, 15) - 1 }),
      tripProcessed({ source_trip_id: 'midnight', trip_start_time: Date.UTC(2025, 0, 15), driver_id: 'night' }),
      tripProcessed({ source_trip_id: 'eve', trip_start_time: Date.UTC(2025, 0, 15) - 1, driver_id: 'night' }),
      tripProcessed({ source_trip_id: 'edge', trip_end_time: DEFAULT_NOW, driver_id: 'edge' }),
      tripProcessed({ source_trip_id: 'gone', driver_id: 'gone' }),
      tripDeleted({ source_trip_id: 'gone' }),
      tripProcessed({ source_trip_id: 'under-way', trip_end_time: DEFAULT_NOW, driver_id: 'long' }),
      ...[1, 2, 3].map((hour) =>
        tripProcessed({
          source_trip_id: `ended-${hour}`,
          trip_start_time: DEFAULT_TRIP_START + hour * HOUR,
          driver_id: 'long',
        }),
      ),
    ]);
  });

  const list = async (driver: string, query = '?start_date=2025-01-15') =>
    contentOf(await world.get(`/api/v1/driver/${driver}/trips${query}`), TripListPage);

  it('orders by start time, then trip_id, and counts the trips on all pages', async () => {
    const page = await list('driver-1');
    expect(page).toMatchObject({ count: TIES + 1, current_page: 1, next_page: null, limit: 50 });
    const order = page.trips.map((trip) => [trip.trip_start_time, trip.trip_id]);
    expect(order).toEqual(
      [...order].sort(([a = 0, b = ''], [c = 0, d = '']) => Number(a) - Number(c) || (b < d ? -1 : 1)),
    );
    expect(new Set(order.map(([, id]) => id)).size).toBe(TIES + 1);
  });

  it('contains the fields up to event_summary with unchanged numbers, and no field of the trip detail', async () => {
    const [trip] = (await list('driver-1')).trips;
    const { kind, fleet_id, source_trip_id, revision, tracking_id, events, trail_path, ...served } = tripProcessed();
    expect(trip).toEqual({ ...served, trip_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it.each([
    ['trips start at the same time', 'driver-1', TIES + 1],
    ['a trip that is not visible yet started before them', 'long', 3],
  ])('contains no gaps or duplicates between pages when %s', async (_when, driver, count) => {
    const ids: string[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const answer: { next_page: number | null; trips: { trip_id: string }[] } = await list(
        driver,
        `?start_date=2025-01-15&limit=1&page=${page}`,
      );
      ids.push(...answer.trips.map((trip) => trip.trip_id));
      page = answer.next_page;
    }
    expect(ids).toHaveLength(count);
    expect(ids).toEqual((await list(driver)).trips.map((trip) => trip.trip_id));
  });

  it('keeps the order even without an index, which would return the trips in order anyway', async () => {
    const { rows } = await world.pool.query<{ name: string }>('SELECT current_database() AS name');
    for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan']) {
      await world.pool.query(`ALTER DATABASE ${rows[0]?.name} SET enable_${scan} = off`);
    }
    const path = '/api/v1/driver/driver-1/trips?start_date=2025-01-15&limit=3&page=2';
    const unindexed = contentOf(await world.get(path, { api: await world.buildApi() }), TripListPage);
    expect(unindexed).toEqual(contentOf(await world.get(path), TripListPage));
  });

  it('begins at start_date 00:00:00.000 UTC, not a millisecond earlier', async () => {
    expect((await list('night')).count).toBe(1);
    expect((await list('night', '?start_date=2025-01-14')).count).toBe(2);
  });

  it('shows a trip from exactly 4 hours after its end', async () => {
    world.setTime(DEFAULT_NOW + 4 * HOUR - 1);
    expect(await list('edge')).toMatchObject({ count: 0, trips: [] });
    world.setTime(DEFAULT_NOW + 4 * HOUR);
    expect(await list('edge')).toMatchObject({ count: 1 });
  });

  it('is an empty page for a driver whose trips are all deleted, and 404 for an unknown driver', async () => {
    expect(await list('gone')).toMatchObject({ count: 0, trips: [] });
    expect(await list('driver-1', '?start_date=2025-01-15&page=9')).toMatchObject({ count: TIES + 1, trips: [] });
    problemOf(await world.get('/api/v1/driver/nobody/trips?start_date=2025-01-15'), 404, 'driver_not_found');
  });

  it('appends new trips at the end, so earlier pages do not shift', async () => {
    const firstPage = async () => (await list('growing', '?start_date=2025-01-15&limit=2')).trips;
    const append = async (source_trip_id: string, hours: number) => {
      const trip_start_time = DEFAULT_TRIP_START + hours * HOUR;
      await world.take([tripProcessed({ source_trip_id, trip_start_time, driver_id: 'growing' })]);
    };
    await append('old-1', 0);
    await append('old-2', 1);
    const before = await firstPage();
    await append('newer', 2);
    expect(await firstPage()).toEqual(before);
    expect((await list('growing')).count).toBe(3);
  });
});
