import { PROJECTIONS } from '@milepost/projections';
import { showReplay, startReplay } from '@milepost/replay';
import { expect, it } from 'vitest';
import { openQueue } from '../../../apps/ops/queue.ts';
import { run } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite, perTest, untilTestEnds } from '../../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { addressOf } from '../../support/metrics.ts';
import { deliverAndProject, openPipeline } from '../../support/pipeline.ts';
import { Processes } from '../../support/processes.ts';
import { needs } from '../../support/programs.ts';
import { numberedTrips } from '../../support/records.ts';
import { FAST } from '../../support/replay.ts';
import { describeWithPostgres, describeWithRedis } from '../../support/service-suites.ts';
import { startLocalRedis } from '../../support/services/local/redis.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

/** No server listens on this port, so requests to Kafka fail immediately. */
const NO_BROKER = '127.0.0.1:1';
const OUTAGE = 'The queue is unavailable.';

describeWithPostgres('the ops process', () => {
  const database = perSuite(createTestDatabase);

  it('serves at the address it logs, applies its settings, and exits with 0 on SIGTERM', async () => {
    const settings = { DATABASE_URL: database.url, OPS_PORT: '0', OPS_TOKEN: 'open', KAFKA_BROKERS: NO_BROKER };
    const ops = untilTestEnds(new Processes(settings)).start('ops');
    const address = await addressOf(ops);
    const status = await fetch(`${address}/status`, { headers: { authorization: 'Bearer open' } });
    expect([status.status, await status.json()]).toMatchObject([200, { head_position: 0, sources: [] }]);
    expect((await fetch(`${address}/status`)).status).toBe(401);
    const readiness = async () => (await fetch(`${address}/readyz`)).json();
    await expect.poll(readiness).toMatchObject({ reason: 'ingest_missing', missing_seconds: null });
    expect(await ops.stop()).toBe(0);
  });

  it.each([
    [{ OPS_TOKEN: 'two words' }, 2, /^milepost: OPS_TOKEN must be/],
    [
      { DATABASE_URL: '', MILEPOST_HOME: '/nonexistent' },
      1,
      /^milepost: Milepost is not running under \/nonexistent: start it with `npm start` .* or set DATABASE_URL\.\n$/,
    ],
    [{ OPS_PORT: '0', HOST: '203.0.113.1' }, 1, /This machine does not have the address 203\.0\.113\.1: set HOST/],
  ])('exits with one clear sentence when %j is wrong', async (settings, code, sentence) => {
    const result = await run(['ops'], { DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...settings });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });

  it('promotes a replay during which Redis is killed and loses its data', needs('redis-server'), async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const { url, owner, operator } = pipeline;
    await deliverAndProject(pipeline, numberedTrips(12));
    // Without this line, the worker starts an audit, which also waits for the lock.
    await owner.query('UPDATE job SET ended_at = now()');
    const redis = untilTestEnds(await startLocalRedis());
    const settings = { DATABASE_URL: url, OPS_PORT: '0', REDIS_URL: redis.address };
    const ops = untilTestEnds(new Processes(settings)).start('ops');
    await addressOf(ops);
    const queue = untilTestEnds(openQueue(redis.address));
    let id = 0;
    const phase = async () => (await showReplay(operator, PROJECTIONS, id)).phase;
    const loseRedis = async () => {
      ({ id } = await startReplay(operator, PROJECTIONS, { ...FAST, projection: 'trips', promote: true }));
      await queue.add({ kind: 'replay', id, lane: 0 });
      await expect.poll(phase).toBe('verifying');
      await lockWaiters(owner, 1);
      await redis.kill();
      await expect.poll(ops.output).toContain(OUTAGE);
      await redis.restart();
    };
    await whileLocked(owner, 'LOCK TABLE trips_1', loseRedis, async () => {});
    await expect.poll(phase).toBe('promoted');
    expect(await ops.stop()).toBe(0);
  });

  describeWithRedis('with its queue in Redis', (redisUrl) => {
    const proxy = perTest(() => startProxyTo(redisUrl));

    const startOps = () => {
      const settings = { DATABASE_URL: database.url, OPS_PORT: '0', REDIS_URL: proxy.url };
      return untilTestEnds(new Processes(settings)).start('ops');
    };

    /** Resolves when the queue and the worker, which uses a second connection, are connected. */
    async function connected(): Promise<void> {
      await expect.poll(() => proxy.clients.size).toBe(3);
    }

    it('stops in time when Redis has never responded', async () => {
      await proxy.cut();
      const ops = startOps();
      await expect.poll(ops.output).toContain(OUTAGE);
      expect(await ops.stop()).toBe(0);
    });

    it('stops in time when the connections to Redis are lost', async () => {
      const ops = startOps();
      await connected();
      await proxy.cut();
      await expect.poll(ops.output).toContain(OUTAGE);
      expect(await ops.stop()).toBe(0);
    });

    it('stops in time when Redis is not responding', async () => {
      const ops = startOps();
      await connected();
      proxy.freeze();
      expect(await ops.stop()).toBe(0);
    });
  });
});
