import { generateApiKey } from '@milepost/domain/api-key';
import { tripId } from '@milepost/domain/trip-id';
import { beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

/** Both fleets contain the driver id, source trip id and tracking id `shared`, and `theirs` also has its own driver. */
type Fleet = 'acme' | 'theirs';

/** A request for each documented path. The trip id of `shared` differs between the fleets. */
const REQUESTS: Readonly<Record<string, (id: string, fleet: Fleet) => string>> = {
  '/api/v1/drivers': () => '/api/v1/drivers',
  '/api/v1/driver/{driver_id}/trips': (id) => `/api/v1/driver/${id}/trips?start_date=2025-01-15`,
  '/api/v1/trip/trip_id/{trip_id}': (id, fleet) => `/api/v1/trip/trip_id/${tripId(fleet, id)}`,
  '/api/v1/trip/tracking_id/{tracking_id}': (id) => `/api/v1/trip/tracking_id/${id}`,
  '/api/v1/driver-aggregate/daily': (id) => `/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=${id}`,
  '/api/v1/driver-aggregate/weekly': (id) => `/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=${id}`,
};
const PATHS = Object.entries(REQUESTS);

const recordsOf = (fleet_id: string, id: string, distance_miles: number) => [
  driverProfile({ fleet_id, driver_id: id, first_name: `of ${fleet_id}` }),
  tripProcessed({ fleet_id, driver_id: id, tracking_id: id, source_trip_id: id, distance_miles }),
];

describeWithPostgres('the authorization at each endpoint', () => {
  const world = perSuite(createWorld);
  const keys = new Map<string, string | null>([['missing', null]]);

  beforeAll(async () => {
    await world.ingest([
      ...recordsOf('acme', 'shared', 1),
      ...recordsOf('theirs', 'shared', 2),
      ...recordsOf('theirs', 'other', 2),
      ...recordsOf('alone', 'shared', 1),
    ]);
    for (const fleet of ['acme', 'theirs', 'alone', 'empty']) keys.set(fleet, await world.createKey(fleet));
    await world.project();
    keys.set('revoked', await world.createKey('acme'));
    await world.directory.query(
      'UPDATE api_key SET revoked_at = now() WHERE created_at = (SELECT max(created_at) FROM api_key)',
    );
    keys.set('unknown', generateApiKey());
    keys.set('malformed', 'not-a-key');
  });

  const ask = async (path: string, key: string) => await world.get(path, { key: keys.get(key) ?? null });

  it('is tested for every documented endpoint that needs a key', async () => {
    const document: { paths: Record<string, { get?: { responses: object } }> } = (
      await world.get('/openapi.json', { key: null })
    ).json();
    const needKey = Object.entries(document.paths).filter(([, { get }]) => get && '401' in get.responses);
    expect(needKey.map(([path]) => path).sort()).toEqual(Object.keys(REQUESTS).sort());
  });

  it.each(PATHS)(
    'gives a fleet the same response as if no other fleet had the same ids: %s',
    async (_path, request) => {
      const own = await ask(request('shared', 'acme'), 'acme');
      expect(own.statusCode).toBe(200);
      // The fleet `alone` has the same records, but its trip has a different id.
      const path = request('shared', 'acme').replace(tripId('acme', 'shared'), tripId('alone', 'shared'));
      const alone = await ask(path, 'alone');
      const renamed = alone.body.replaceAll(tripId('alone', 'shared'), tripId('acme', 'shared'));
      expect(own.body).toBe(renamed.replaceAll('of alone', 'of acme'));
      expect((await ask(request('shared', 'theirs'), 'theirs')).body).toMatch(/of theirs|"distance_miles":2/);
    },
  );

  it.each(PATHS.slice(1))('hides whether another fleet has the data: %s', async (_path, request) => {
    const [theirs, nobodys] = [
      await ask(request('other', 'theirs'), 'acme'),
      await ask(request('none', 'acme'), 'acme'),
    ];
    for (const answer of [theirs, nobodys])
      problemOf(answer, 404, answer.body.includes('trip_not_found') ? 'trip_not_found' : 'driver_not_found');
    const blind = (body: string) =>
      [/"request_id":"[^"]*"/, /other|none/g, tripId('theirs', 'other'), tripId('acme', 'none')].reduce<string>(
        (text, id) => text.replaceAll(typeof id === 'string' ? id : new RegExp(id, 'g'), 'ID'),
        body,
      );
    expect(blind(theirs.body)).toBe(blind(nobodys.body));
  });

  it.each(
    PATHS.flatMap(([, request]) =>
      ['revoked', 'unknown', 'malformed', 'missing'].map((key) => [key, request] as const),
    ),
  )('refuses a key that is %s: %s', async (key, request) => {
    const answer = await ask(request('shared', 'acme'), key);
    problemOf(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('APIKEY');
  });

  it('accepts a fleet without records, which has no drivers', async () => {
    expect(contentOf(await ask('/api/v1/drivers', 'empty'), DriverPage)).toMatchObject({ count: 0, drivers: [] });
  });
});
