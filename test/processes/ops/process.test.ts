import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { addressOf } from '../../support/metrics.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres, describeWithRedis } from '../../support/service-suites.ts';
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

  describeWithRedis('with its queue in Redis', (redisUrl) => {
    let proxy: Awaited<ReturnType<typeof startProxyTo>>;
    let processes: Processes;

    beforeEach(async () => {
      proxy = await startProxyTo(redisUrl);
      processes = new Processes({ DATABASE_URL: database.url, OPS_PORT: '0', REDIS_URL: proxy.url });
    });
    afterEach(async () => {
      await processes.end();
      await proxy.cut();
    });

    /** Resolves when the queue and the worker, which uses a second connection, are connected. */
    async function connected(): Promise<void> {
      await expect.poll(() => proxy.clients.size).toBe(3);
    }

    it('stops in time when Redis has never responded', async () => {
      await proxy.cut();
      const ops = processes.start('ops');
      await expect.poll(ops.output).toContain(OUTAGE);
      expect(await ops.stop()).toBe(0);
    });

    it('stops in time when the connections to Redis are lost', async () => {
      const ops = processes.start('ops');
      await connected();
      await proxy.cut();
      await expect.poll(ops.output).toContain(OUTAGE);
      expect(await ops.stop()).toBe(0);
    });

    it('stops in time when Redis is not responding', async () => {
      const ops = processes.start('ops');
      await connected();
      proxy.freeze();
      expect(await ops.stop()).toBe(0);
    });
  });
});
