import { afterAll, beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

const PATHS = [
  '/api/v1/drivers',
  '/api/v1/driver/x/trips?start_date=2025-01-15',
  '/api/v1/trip/trip_id/x',
  '/api/v1/trip/tracking_id/x',
  '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=x',
  '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=x',
];

describeWithPostgres('API keys', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => await world?.close());

  it.each(PATHS)('are required by %s', async (path) => {
    const answer = await world.get(path, { key: null });
    problemOf(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('APIKEY');
  });

  it.each([
    ['missing', () => ''],
    ['without a key', () => 'APIKEY '],
    ['of another scheme', (key: string) => `Bearer ${key}`],
    ['without a scheme', (key: string) => key],
    ['with two keys', (key: string) => `APIKEY ${key} ${key}`],
    ['without a space', (key: string) => `APIKEY${key}`],
    ['with an unknown key', (key: string) => `APIKEY ${key}x`],
    ['with U+0000', (key: string) => `APIKEY ${key}\u0000`],
  ])('are refused in an Authorization header %s', async (_what, header) => {
    const authorization = header(await world.createKey('acme'));
    const answer = await world.get('/api/v1/drivers', { key: null, headers: { authorization } });
    problemOf(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('APIKEY');
    expect(answer.headers).not.toHaveProperty('ratelimit-limit');
  });

  it.each(['APIKEY', 'apikey', 'ApiKey'])('are taken after the scheme word %s', async (scheme) => {
    const key = await world.createKey('acme');
    const headers = { authorization: `${scheme} ${key}` };
    contentOf(await world.get('/api/v1/drivers', { key: null, headers }), DriverPage);
  });

  it.each(['/healthz', '/readyz', '/openapi.json', '/docs/'])('are not needed for %s', async (path) => {
    expect((await world.get(path, { key: null })).statusCode).toBe(200);
  });

  it('are refused within 5 s of their revocation, by a replica that has just used them', async () => {
    const key = await world.createKey('acme');
    contentOf(await world.get('/api/v1/drivers', { key }), DriverPage);
    await world.pool.query("UPDATE access.api_key SET revoked_at = now() WHERE fleet_id = 'acme'");
    const revoked = performance.now();
    while ((await world.get('/api/v1/drivers', { key })).statusCode === 200) {
      expect(performance.now() - revoked).toBeLessThan(5_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    problemOf(await world.get('/api/v1/drivers', { key }), 401, 'unauthorized');
  });

  it('work within 5 s of their creation even if they were tried before', async () => {
    const key = await world.createKey('late');
    await world.pool.query("UPDATE access.api_key SET revoked_at = now() WHERE fleet_id = 'late'");
    problemOf(await world.get('/api/v1/drivers', { key }), 401, 'unauthorized');
    await world.pool.query("UPDATE access.api_key SET revoked_at = NULL WHERE fleet_id = 'late'");
    await expect
      .poll(async () => (await world.get('/api/v1/drivers', { key })).statusCode, { timeout: 5_000 })
      .toBe(200);
  });
});
