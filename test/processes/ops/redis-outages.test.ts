import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite } from '../../support/fixtures.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres, describeWithRedis } from '../../support/service-suites.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

const OUTAGE = 'The queue is unavailable.';

describeWithRedis('the ops process', (redisUrl) => {
  describeWithPostgres('with its queue in Redis', () => {
    const database = perSuite(createTestDatabase);
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
