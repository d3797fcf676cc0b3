import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { tripId } from '@milepost/domain/trip-id';
import { beforeAll, expect, it } from 'vitest';
import { KeyUses } from '../../../apps/api/plugins/key-uses.ts';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithWorld } from '../../support/world.ts';

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

describeWithWorld('API keys', (world) => {
  it.each([
    ['that is empty', () => ''],
    ['without a key', () => 'APIKEY '],
    ['with an unknown key', (key: string) => `APIKEY ${key}x`],
    ['of another scheme', (key: string) => `Bearer ${key}`],
    ['without a scheme', (key: string) => key],
    ['with two keys', (key: string) => `APIKEY ${key} ${key}`],
    ['without a space', (key: string) => `APIKEY${key}`],
    ['with U+0000', (key: string) => `APIKEY ${key}\u0000`],
  ])('are refused in an Authorization header %s', async (_what, header) => {
    const authorization = header(await world.createKey('acme'));
    const answer = await world.get('/api/v1/drivers', { key: null, headers: { authorization } });
    problemOf(answer, 401, 'unauthorized');
    expect(answer.headers).not.toHaveProperty('ratelimit-limit');
  });

  it.each(['APIKEY', 'apikey', 'ApiKey'])('are accepted after the scheme %s', async (scheme) => {
    const key = await world.createKey('acme');
    const headers = { authorization: `${scheme} ${key}` };
    contentOf(await world.get('/api/v1/drivers', { key: null, headers }), DriverPage);
  });

  const statusWith = async (key: string) => (await world.get('/api/v1/drivers', { key })).statusCode;

  const usesOf = async (fleets: string) => {
    const { rows } = await world.directory.query<{ fleet_id: string; last_used_at: Date | null; version: string }>(
      'SELECT fleet_id, last_used_at, xmin::text AS version FROM api_key WHERE fleet_id LIKE $1 ORDER BY fleet_id',
      [fleets],
    );
    return rows;
  };

  it('are refused by a replica that has just used them, within 5 s of their revocation or expiry', async () => {
    const ended = ['revoked_at', 'expires_at'].map(async (end) => {
      const key = await world.createKey(end);
      contentOf(await world.get('/api/v1/drivers', { key }), DriverPage);
      await world.directory.query(`UPDATE api_key SET ${end} = now() WHERE fleet_id = '${end}'`);
      await expect.poll(() => statusWith(key), { timeout: 5_000, message: end }).not.toBe(200);
      problemOf(await world.get('/api/v1/drivers', { key }), 401, 'unauthorized');
    });
    await Promise.all(ended);
  });

  it('are accepted within 5 s of their creation, even if they were used earlier, until they expire', async () => {
    const key = await world.createKey('late');
    await world.directory.query("UPDATE api_key SET revoked_at = now() WHERE fleet_id = 'late'");
    problemOf(await world.get('/api/v1/drivers', { key }), 401, 'unauthorized');
    await world.directory.query(
      "UPDATE api_key SET revoked_at = NULL, expires_at = now() + interval '1 hour' WHERE fleet_id = 'late'",
    );
    await expect.poll(() => statusWith(key), { timeout: 5_000 }).toBe(200);
  });

  it('record the hour of their last use, with one write for many requests and processes', async () => {
    const read = async () => await usesOf('use-%');
    const keys = [await world.createKey('use-1'), await world.createKey('use-2'), await world.createKey('use-never')];
    const created = await read();
    expect(created.map(({ last_used_at }) => last_used_at)).toEqual([null, null, null]);
    const from = Date.now();
    const use = async () => {
      const api = await world.buildApi();
      for (const key of [...keys.slice(0, 2), ...keys.slice(0, 2)]) {
        expect((await world.get('/api/v1/drivers', { api, key })).statusCode).toBe(200);
      }
      // The requests write nothing themselves. The process writes at intervals and when it stops.
      const { length } = (await read()).filter(({ version }, index) => version !== created[index]?.version);
      await api.close();
      return length;
    };
    const hourOf = (time: number) => Math.floor(time / 3_600_000) * 3_600_000;
    expect(await use()).toBe(0);
    const used = await read();
    const hours = used.map(({ last_used_at }) => last_used_at?.getTime() ?? null);
    expect(hours[2]).toBeNull();
    for (const hour of hours.slice(0, 2)) expect([hourOf(from), hourOf(Date.now())]).toContain(hour);

    // A later use within the same hour changes no row.
    await world.directory.query("UPDATE api_key SET last_used_at = now() + interval '1 hour' WHERE fleet_id = 'use-1'");
    const before = await read();
    await use();
    const after = await read();
    expect(after[0]).toEqual(before[0]);
    if (hourOf(from) === hourOf(Date.now())) expect(after).toEqual(before);
  });

  it.each([
    ['succeeds', [expect.any(Date), null]],
    ['fails', [null, null]],
  ])('record all uses if a key is used during a write of earlier uses that %s', async (outcome, first) => {
    const { directory } = world;
    const uses = new KeyUses(directory);
    const [before, during] = [await world.createKey(`before-${outcome}`), await world.createKey(`during-${outcome}`)];
    const lastUses = async () => (await usesOf(`%-${outcome}`)).map(({ last_used_at }) => last_used_at);
    uses.note(hashApiKey(before));
    if (outcome === 'fails') await directory.query('ALTER VIEW api_key_use RENAME TO api_key_use_away');
    const writing = uses.write();
    uses.note(hashApiKey(during));
    await writing;
    if (outcome === 'fails') await directory.query('ALTER VIEW api_key_use_away RENAME TO api_key_use');
    expect(await lastUses()).toEqual(first);
    await uses.write();
    expect(await lastUses()).toEqual([expect.any(Date), expect.any(Date)]);
  });
});

describeWithWorld('the authorization at each endpoint', (world) => {
  const keys = new Map<string, string | null>([['missing', null]]);

  beforeAll(async () => {
    await world.ingest([
      ...recordsOf('acme', 'shared', 1),
      ...recordsOf('theirs', 'shared', 2),
      ...recordsOf('theirs', 'other', 2),
      ...recordsOf('alone', 'shared', 1),
    ]);
    for (const fleet of ['acme', 'theirs', 'alone']) keys.set(fleet, await world.createKey(fleet));
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
    const { paths } = (await world.get('/openapi.json', { key: null })).json();
    const needKey = Object.entries<{ get?: { responses: object } }>(paths).filter(
      ([, { get }]) => get && '401' in get.responses,
    );
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
    expect(answer.headers).not.toHaveProperty('ratelimit-limit');
  });
});
