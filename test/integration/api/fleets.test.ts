import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

describeWithPostgres('fleets', () => {
  let world: World;
  let alone: string;
  let empty: string;

  beforeAll(async () => {
    world = await createWorld();
    await world.ingest([
      tripProcessed({ driver_id: 'shared', tracking_id: 'shared', distance_miles: 1 }),
      tripProcessed({ fleet_id: 'alone', driver_id: 'alone', tracking_id: 'alone', distance_miles: 1 }),
      tripProcessed({ fleet_id: 'other', driver_id: 'shared', tracking_id: 'shared', distance_miles: 2 }),
      tripProcessed({ fleet_id: 'other', driver_id: 'theirs', tracking_id: 'theirs', source_trip_id: 'theirs' }),
    ]);
    await world.project();
    alone = await world.createKey('alone');
    empty = await world.createKey('empty');
  });
  afterAll(async () => await world?.close());

  it.each([
    '/api/v1/drivers',
    '/api/v1/driver/shared/trips?start_date=2025-01-15',
    '/api/v1/trip/tracking_id/shared',
    '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=shared',
    '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=shared',
  ])('get the same answers although another fleet has the same ids: %s', async (path) => {
    const own = await world.get(path);
    expect(own.statusCode).toBe(200);
    // The fleet `alone` has the same trips under ids that no other fleet has.
    const others = await world.get(path.replaceAll('shared', 'alone'), { key: alone });
    const renamed = others.body.replaceAll('alone', 'shared');
    expect(own.body).toBe(renamed.replaceAll(tripId('alone', 'trip-1'), tripId('acme', 'trip-1')));
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
