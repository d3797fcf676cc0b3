import { generateApiKey } from '@milepost/domain/api-key';
import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemOf } from '../../support/answers.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

/**
 * Both fleets have the same driver ids, source trip ids and tracking ids, but each mileage and each name shows which
 * fleet it belongs to.
 */
const FLEETS = { acme: { miles: 1, name: 'Ada' }, other: { miles: 2, name: 'Otto' } } as const;
type Fleet = keyof typeof FLEETS;

/** A request for each documented path. A trip id belongs to one fleet, because it is derived from the fleet. */
const REQUESTS: Record<string, (fleet: Fleet) => string> = {
  '/api/v1/drivers': () => '/api/v1/drivers',
  '/api/v1/driver/{driver_id}/trips': () => '/api/v1/driver/shared/trips?start_date=2025-01-15',
  '/api/v1/trip/trip_id/{trip_id}': (fleet) => `/api/v1/trip/trip_id/${tripId(fleet, 'trip-1')}`,
  '/api/v1/trip/tracking_id/{tracking_id}': () => '/api/v1/trip/tracking_id/shared',
  '/api/v1/driver-aggregate/daily': () => '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=shared',
  '/api/v1/driver-aggregate/weekly': () => '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=shared',
};
const PATHS = Object.keys(REQUESTS);
const requestOf = (path: string, fleet: Fleet) => REQUESTS[path]?.(fleet) ?? '';

/** Returns all values of a field in a JSON text. */
function valuesOf(body: string, field: string): unknown[] {
  const values: unknown[] = [];
  JSON.parse(body, (name, value) => {
    if (name === field) values.push(value);
    return value;
  });
  return values;
}

describeWithPostgres('the authorization at each endpoint', () => {
  let world: World;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    world = await createWorld();
    for (const [fleet_id, { miles, name }] of Object.entries(FLEETS)) {
      await world.ingest([
        driverProfile({ fleet_id, driver_id: 'shared', first_name: name }),
        tripProcessed({ fleet_id, driver_id: 'shared', tracking_id: 'shared', distance_miles: miles }),
      ]);
      keys.set(fleet_id, await world.createKey(fleet_id));
    }
    await world.project();
    keys.set('revoked', await world.createKey('acme'));
    await world.directory.query(
      'UPDATE api_key SET revoked_at = now() WHERE created_at = (SELECT max(created_at) FROM api_key)',
    );
    keys.set('unknown', generateApiKey());
    keys.set('malformed', 'not-a-key');
  });
  afterAll(async () => await world?.close());

  it('is tested for every documented endpoint that needs a key', async () => {
    const document: { paths: Record<string, { get?: { responses: object } }> } = (
      await world.get('/openapi.json', { key: null })
    ).json();
    const needKey = Object.entries(document.paths).filter(([, { get }]) => get && '401' in get.responses);
    expect(needKey.map(([path]) => path).sort()).toEqual([...PATHS].sort());
  });

  it.each(PATHS.flatMap((path) => (['acme', 'other'] as const).map((fleet) => ({ path, fleet }))))(
    'gives the key of $fleet only its own data: $path',
    async ({ path, fleet }) => {
      const answer = await world.get(requestOf(path, fleet), { key: keys.get(fleet) ?? null });
      expect(answer.statusCode).toBe(200);
      const { miles, name } = FLEETS[fleet];
      const seen = [...valuesOf(answer.body, 'distance_miles'), ...valuesOf(answer.body, 'first_name')];
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter((value) => value !== miles && value !== name)).toEqual([]);
    },
  );

  it('does not give the key of a fleet a trip of the other fleet by its id', async () => {
    const path = '/api/v1/trip/trip_id/{trip_id}';
    for (const [fleet, theirs] of [
      ['acme', 'other'],
      ['other', 'acme'],
    ] as const) {
      problemOf(await world.get(requestOf(path, theirs), { key: keys.get(fleet) ?? null }), 404, 'trip_not_found');
    }
  });

  it.each(PATHS.flatMap((path) => ['revoked', 'unknown', 'malformed', 'missing'].map((kind) => ({ path, kind }))))(
    'refuses a $kind key: $path',
    async ({ path, kind }) => {
      problemOf(await world.get(requestOf(path, 'acme'), { key: keys.get(kind) ?? null }), 401, 'unauthorized');
    },
  );
});
