import { setImmediate } from 'node:timers/promises';
import { createLogger, type Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectRedis } from '../../../apps/api/redis.ts';
import { problemOf } from '../../support/answers.ts';
import { describeWithRedis } from '../../support/service-suites.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';
import { describeWithWorld } from '../../support/world.ts';

describeWithWorld('the rate limit', (world) => {
  /** Sends requests with a key for a fleet that no other test uses. */
  async function client(fleetId: string, limit?: number) {
    const key = await world.createKey(fleetId, limit);
    return async (api: FastifyInstance, path = '/api/v1/drivers', headers = {}) =>
      await world.get(path, { api, key, headers });
  }

  it('counts every authenticated request from a fleet, with any of its keys and whatever the status', async () => {
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

  it("counts a key with its own limit separately, so that it takes nothing from its fleet's other keys", async () => {
    const api = await world.buildApi({ rateLimitPerMinute: 2 });
    const fleet = 'own-limit';
    const [ask, askLess, askMore] = [await client(fleet), await client(fleet, 1), await client(fleet, 3)];
    const askEqual = await client(fleet, 3);
    const statuses = async (send: typeof ask, requests: number) => {
      const answers = [];
      for (let request = 0; request < requests; request += 1) answers.push(await send(api));
      return answers.map(({ statusCode, headers }) => `${statusCode} limit ${headers['ratelimit-limit']}`);
    };
    expect(await statuses(askLess, 2)).toEqual(['200 limit 1', '429 limit 1']);
    expect(await statuses(askMore, 4)).toEqual(['200 limit 3', '200 limit 3', '200 limit 3', '429 limit 3']);
    expect(await statuses(askEqual, 1)).toEqual(['200 limit 3']);
    expect(await statuses(ask, 3)).toEqual(['200 limit 2', '200 limit 2', '429 limit 2']);
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

  it('admits requests without delay while Redis is unavailable', async () => {
    const redis = connectRedis('redis://127.0.0.1:1', createLogger('api', 'silent'));
    const api = await world.buildApi({ rateLimitPerMinute: 1, redis });
    const ask = await client('no-redis');
    for (let request = 0; request < 3; request += 1) expect((await ask(api)).statusCode).toBe(200);
    // A command fails within the current turn of Node's event loop. No request waits for a connection or a timeout.
    const failed = redis.ping().then(
      () => 'answered',
      () => 'failed',
    );
    expect(await Promise.race([failed, setImmediate('waits')])).toBe('failed');
    redis.disconnect();
  });

  it('looks for Redis at least every two seconds, for as long as it is unavailable', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const redis = connectRedis('redis://127.0.0.1:1', createLogger('api', 'silent'));
    onTestFinished(() => redis.disconnect());
    const delays: number[] = [];
    redis.on('reconnecting', (milliseconds: number) => {
      delays.push(milliseconds);
      vi.advanceTimersByTime(milliseconds);
    });
    await expect.poll(() => delays.length).toBeGreaterThan(50);
    expect(Math.min(...delays)).toBeGreaterThan(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(2_000);
  });

  describeWithRedis('with Redis', (url) => {
    /** Opens a proxy to Redis, and the API's connection through it. */
    async function openRedis(logger: Logger = createLogger('api', 'silent')) {
      const proxy = await startProxyTo(url);
      const redis = connectRedis(proxy.url, logger);
      onTestFinished(async () => {
        redis.disconnect();
        await proxy.cut();
      });
      await expect.poll(() => redis.status).toBe('ready');
      return { proxy, redis };
    }

    it('admits requests while Redis hangs, and refuses them again once it responds', async () => {
      const { proxy, redis } = await openRedis();
      const api = await world.buildApi({ rateLimitPerMinute: 1, redis });
      const ask = await client(`hanging-${process.pid}`);
      const status = async () => (await ask(api)).statusCode;
      // On a busy machine, Redis may exceed a command's timeout for a moment.
      await expect.poll(status).toBe(429);
      proxy.freeze();
      expect([await status(), ...(await Promise.all([status(), status()]))]).toEqual([200, 200, 200]);
      proxy.thaw();
      await expect.poll(status).toBe(429);
    });

    it('is off during a Redis outage, whose start and end are each logged in one line', async () => {
      const lines: string[] = [];
      const write = (line: string) => void lines.push(JSON.parse(line).message);
      const { proxy, redis } = await openRedis(pino({ messageKey: 'message' }, { write }));
      let attempts = 0;
      redis.on('reconnecting', () => {
        attempts += 1;
      });
      const api = await world.buildApi({ rateLimitPerMinute: 1, redis });
      const ask = await client(`outage-${process.pid}`);
      const status = async () => (await ask(api)).statusCode;
      await expect.poll(status).toBe(429);
      lines.length = 0;
      await proxy.cut();
      expect(await status()).toBe(200);
      await expect.poll(() => attempts).toBeGreaterThan(3);
      expect(lines).toEqual(['Redis cannot be reached. Rate limits are off until it can be reached again.']);
      await proxy.restore();
      await expect.poll(status).toBe(429);
      expect(lines.slice(1)).toEqual(['Redis is back: rate limits are on again.']);
    });

    it('is shared by all replicas', async () => {
      const openReplica = async () => await world.buildApi({ rateLimitPerMinute: 2, redis: (await openRedis()).redis });
      const [one, two] = [await openReplica(), await openReplica()];
      const ask = await client(`shared-${process.pid}`);
      expect((await ask(one)).headers['ratelimit-remaining']).toBe('1');
      expect((await ask(two)).headers['ratelimit-remaining']).toBe('0');
      expect((await ask(one)).statusCode).toBe(429);
    });
  });
});
