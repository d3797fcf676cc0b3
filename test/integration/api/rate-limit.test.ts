import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectRedis } from '../../../apps/api/redis.ts';
import { problemOf } from '../../support/answers.ts';
import { describeWithPostgres, describeWithRedis } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

describeWithPostgres('the rate limit', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => await world?.close());

  /** Sends requests with a key of a fleet that no other test uses. */
  async function client(fleetId: string, limit?: number) {
    const authorization = `APIKEY ${await world.createKey(fleetId, limit)}`;
    return async (api: FastifyInstance, url = '/api/v1/drivers', headers = {}) =>
      await api.inject({ url, headers: { authorization, 'content-type': 'application/json', ...headers } });
  }

  it('counts every authenticated request of a fleet over all its keys, whatever its status', async () => {
    const api = await world.buildApi({ rateLimitPerMinute: 5 });
    const [ask, askOtherKey] = [await client('counted'), await client('counted')];
    const answers = [
      await ask(api),
      await ask(api, '/api/v1/drivers?limit=0'),
      await ask(api, '/api/v1/trip/trip_id/unknown'),
      await ask(api, '/api/v1/drivers', { 'content-type': 'text/plain' }),
      await askOtherKey(api, '/api/v1/drivers', { 'if-none-match': '*' }),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 400, 404, 415, 304]);
    expect(answers.map((answer) => answer.headers['ratelimit-remaining'])).toEqual(['4', '3', '2', '1', '0']);
    for (const answer of answers) {
      expect(answer.headers['ratelimit-limit']).toBe('5');
      expect(Number(answer.headers['ratelimit-reset'])).toBeGreaterThan(0);
    }
    const refused = await ask(api);
    problemOf(refused, 429, 'rate_limited');
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('counts a key with its own limit alone, so that it takes nothing from the other keys of its fleet', async () => {
    const api = await world.buildApi({ rateLimitPerMinute: 2 });
    const fleet = 'own-limit';
    const [ask, askLess, askMore] = [await client(fleet), await client(fleet, 1), await client(fleet, 3)];
    const askEqual = await client(fleet, 3);
    const statuses = async (send: typeof ask, requests: number) => {
      const answers = [];
      for (let request = 0; request < requests; request += 1) answers.push(await send(api));
      return answers.map(({ statusCode, headers }) => [statusCode, headers['ratelimit-limit']]);
    };
    expect(await statuses(askLess, 2)).toEqual([
      [200, '1'],
      [429, '1'],
    ]);
    expect(await statuses(askMore, 4)).toEqual([
      [200, '3'],
      [200, '3'],
      [200, '3'],
      [429, '3'],
    ]);
    expect(await statuses(askEqual, 1)).toEqual([[200, '3']]);
    expect(await statuses(ask, 3)).toEqual([
      [200, '2'],
      [200, '2'],
      [429, '2'],
    ]);
  });

  it('applies to each fleet separately and ignores unauthenticated requests and unknown paths', async () => {
    const api = await world.buildApi({ rateLimitPerMinute: 1 });
    const [ask, askOther] = [await client('first'), await client('second')];
    await ask(api, '/nope');
    await ask(api, '/api/v1/drivers', { authorization: 'APIKEY wrong' });
    await ask(api, '/readyz');
    expect((await ask(api)).statusCode).toBe(200);
    expect((await ask(api)).statusCode).toBe(429);
    expect((await askOther(api)).statusCode).toBe(200);
  });

  it('starts a new window after a minute', async () => {
    const api = await world.buildApi({ rateLimitPerMinute: 1 });
    const ask = await client('anew');
    expect((await ask(api)).statusCode).toBe(200);
    expect((await ask(api)).statusCode).toBe(429);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 60_001);
    try {
      expect((await ask(api)).statusCode).toBe(200);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.each([-3_600_000, 3_600_000])('keeps counting correctly when the system clock jumps by %d ms', async (step) => {
    const api = await world.buildApi({ rateLimitPerMinute: 1 });
    const ask = await client(`step-${step}`);
    expect((await ask(api)).statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + step });
    try {
      const refused = await ask(api);
      problemOf(refused, 429, 'rate_limited');
      for (const name of ['retry-after', 'ratelimit-reset']) {
        expect(Number(refused.headers[name]), name).toBeGreaterThan(0);
        expect(Number(refused.headers[name]), name).toBeLessThanOrEqual(60);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('admits requests without delay while Redis is unavailable', async () => {
    const redis = connectRedis('redis://127.0.0.1:1', createLogger('api', 'silent'));
    const api = await world.buildApi({ rateLimitPerMinute: 1, redis });
    const ask = await client('no-redis');
    const started = performance.now();
    for (let request = 0; request < 3; request += 1) expect((await ask(api)).statusCode).toBe(200);
    expect(performance.now() - started).toBeLessThan(6_000);
    redis.disconnect();
  });

  describeWithRedis('with Redis', (url) => {
    it('is shared by all replicas', async () => {
      const connections = [0, 1].map(() => connectRedis(url, createLogger('api', 'silent')));
      await Promise.all(
        connections.map(
          async (redis) =>
            await redis.ping().catch(async () => await new Promise((resolve) => redis.once('ready', resolve))),
        ),
      );
      const [one, two] = await Promise.all(
        connections.map(async (redis) => await world.buildApi({ rateLimitPerMinute: 2, redis })),
      );
      if (!one || !two) throw new Error('A replica is missing.');
      const ask = await client(`shared-${process.pid}`);
      expect((await ask(one)).headers['ratelimit-remaining']).toBe('1');
      expect((await ask(two)).headers['ratelimit-remaining']).toBe('0');
      expect((await ask(one)).statusCode).toBe(429);
      for (const redis of connections) redis.disconnect();
    });
  });
});
