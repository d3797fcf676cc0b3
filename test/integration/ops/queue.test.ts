import type { Job } from '@milepost/operations/operation';
import { expect, it, onTestFinished } from 'vitest';
import { openQueue, openWorker } from '../../../apps/ops/queue.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { describeWithRedis } from '../../support/service-suites.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

describeWithRedis('the queue on Redis', (redisUrl) => {
  it('announces each job once while it is open, even after Redis was unavailable or silent', async () => {
    // Other tests use a different database on this server.
    const proxy = await startProxyTo(new URL('/9', redisUrl).href);
    onTestFinished(proxy.cut);
    const queue = untilTestEnds(openQueue(proxy.url));
    const jobs: Job[] = [
      { kind: 'replay', id: 7, lane: 0 },
      { kind: 'replay', id: 7, lane: 1 },
      { kind: 'audit', lane: 1 },
      { kind: 'retention', lane: 1 },
    ];
    await proxy.cut();
    await queue.add({ kind: 'audit', lane: 0 });
    await proxy.restore();
    for (const job of [...jobs, ...jobs]) await queue.add(job);
    proxy.freeze();
    await queue.add({ kind: 'retention', lane: 0 });
    proxy.thaw();
    const done: Job[] = [];
    const run = async (job: Job) => void done.push(job);
    const worker = openWorker(proxy.url, run, 1, () => {});
    await expect.poll(() => done).toEqual(expect.arrayContaining(jobs));
    for (const job of jobs) expect(done.filter((each) => JSON.stringify(each) === JSON.stringify(job))).toEqual([job]);
    // A job that has ended can be announced again.
    done.length = 0;
    await queue.add({ kind: 'audit', lane: 1 });
    await expect.poll(() => done).toContainEqual({ kind: 'audit', lane: 1 });
    await worker.close();
  });
});
