import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DailySummaries,
  DriverPage,
  TripDetailPage,
  TripListPage,
  WeeklySummaries,
} from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

describeWithPostgres('fleets', () => {
  let world: World;
  let other: string;
  let empty: string;

  beforeAll(async () => {
    world = await createWorld();
    await world.ingest([
      tripProcessed({ driver_id: 'shared', tracking_id: 'shared', distance_miles: 1 }),
      tripProcessed({ fleet_id: 'other', driver_id: 'shared', tracking_id: 'shared', distance_miles: 2 }),
      tripProcessed({ fleet_id: 'other', driver_id: 'theirs', tracking_id: 'theirs', source_trip_id: 'theirs' }),
    ]);
    await world.project();
    other = await world.createKey('other');
    empty = await world.createKey('empty');
  });
  afterAll(async () => await world?.close());

  it('see only their own drivers', async () => {
    expect(contentOf(await world.get('/api/v1/drivers'), DriverPage).drivers.map((driver) => driver.driver_id)).toEqual(
      ['shared'],
    );
    expect(contentOf(await world.get('/api/v1/drivers', { key: other }), DriverPage).count).toBe(2);
  });

  it('see only their own trips of a driver id that another fleet also has', async () => {
    const path = '/api/v1/driver/shared/trips?start_date=2025-01-15';
    const distances = async (key?: string) =>
      contentOf(await world.get(path, key === undefined ? {} : { key }), TripListPage).trips.map(
        (trip) => trip.distance_miles,
      );
    expect(await distances()).toEqual([1]);
    expect(await distances(other)).toEqual([2]);
  });

  it('see only their own trips of a tracking id that another fleet also has', async () => {
    const { trips, count } = contentOf(await world.get('/api/v1/trip/tracking_id/shared'), TripDetailPage);
    expect(count).toBe(1);
    expect(trips.map((trip) => trip.trip_id)).toEqual([tripId('acme', 'trip-1')]);
  });

  it('see only their own summaries of a driver id that another fleet also has', async () => {
    const daily = '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=shared';
    const weekly = '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=shared';
    for (const [key, miles] of [
      [undefined, 1],
      [other, 2],
    ] as const) {
      const request = key === undefined ? {} : { key };
      expect(contentOf(await world.get(daily, request), DailySummaries).data[0]?.driving_summary.distance_miles).toBe(
        miles,
      );
      expect(contentOf(await world.get(weekly, request), WeeklySummaries).data[0]?.driving_summary.distance_miles).toBe(
        miles,
      );
    }
  });

  it('get the same answer for data of another fleet as for data that does not exist', async () => {
    const withoutId = (body: string) => body.replace(/"request_id":"[^"]*"/, '');
    for (const [theirs, nobodys, code] of [
      [
        '/api/v1/driver/theirs/trips?start_date=2025-01-15',
        '/api/v1/driver/nobody/trips?start_date=2025-01-15',
        'driver_not_found',
      ],
      [
        `/api/v1/trip/trip_id/${tripId('other', 'theirs')}`,
        `/api/v1/trip/trip_id/${tripId('other', 'nobody')}`,
        'trip_not_found',
      ],
      ['/api/v1/trip/tracking_id/theirs', '/api/v1/trip/tracking_id/nobody', 'trip_not_found'],
      [
        '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=theirs',
        '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=nobody',
        'driver_not_found',
      ],
      [
        '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=theirs',
        '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=nobody',
        'driver_not_found',
      ],
    ] as const) {
      const [one, two] = [await world.get(theirs), await world.get(nobodys)];
      problemOf(one, 404, code);
      const ids = [/theirs|nobody/g, tripId('other', 'theirs'), tripId('other', 'nobody')];
      const blind = (body: string) => ids.reduce<string>((text, id) => text.replaceAll(id, 'ID'), withoutId(body));
      expect(blind(one.body)).toBe(blind(two.body));
    }
  });

  it('exist without records as soon as a key names them', async () => {
    expect(contentOf(await world.get('/api/v1/drivers', { key: empty }), DriverPage)).toMatchObject({
      count: 0,
      drivers: [],
    });
  });
});
