import { openQueue, openWorker } from '@milepost/ops/queue';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Enqueuer, openEnqueuer } from '../../../apps/ops/queue/index.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithPostgres, describeWithRedis } from '../../support/service-suites.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** Nothing ever connects to this database, because the queue is in Redis. */
const databaseUrl = 'postgres://127.0.0.1:1/none';
const JOB = { kind: 'replay', id: 987_654_321 } as const;

describeWithRedis('jobs that requests enqueue', (redisUrl) => {
  let proxy: TcpProxy;
  let jobs: Enqueuer;

  beforeEach(async () => {
    const { hostname, port } = new URL(redisUrl);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    jobs = openEnqueuer({ databaseUrl, redisUrl: `redis://127.0.0.1:${proxy.port}` });
  });
  afterEach(async () => {
    await jobs.close();
    await proxy.cut();
  });

  it('are accepted again once Redis is available, including the first one', async () => {
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
    await proxy.cut();
    await proxy.restore();
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
  });

  it('are refused without waiting while Redis is unavailable', async () => {
    await proxy.cut();
    for (let round = 0; round < 2; round += 1) expect(await jobs.enqueue(JOB)).toBeNull();
    await proxy.restore();
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
  });

  it('are accepted after a connection was lost without an error', async () => {
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
    proxy.forget();
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
  });

  it('share one new connection when two of them find the earlier one lost', async () => {
    expect(await jobs.enqueue(JOB)).toEqual(JOB);
    proxy.forget();
    const pair = [JOB, { ...JOB, id: JOB.id + 1 }];
    expect(await Promise.all(pair.map(jobs.enqueue))).toEqual(pair);
    await jobs.close();
    proxy.thaw();
    await expect.poll(() => proxy.clients.size, { timeout: 20_000 }).toBe(0);
  });

  it('return the open audit of the same lane, and not that of another lane', async () => {
    const audit = { kind: 'audit', id: 1, lane: 987_654_321 } as const;
    const inOtherLane = { kind: 'audit', id: 2, lane: 987_654_320 } as const;
    expect(await jobs.enqueue(audit)).toEqual(audit);
    expect(await jobs.enqueue(inOtherLane)).toEqual(inOtherLane);
    expect(await jobs.enqueue({ ...audit, id: 3 })).toEqual(audit);
    expect(await jobs.enqueue({ ...inOtherLane, id: 4 })).toEqual(inOtherLane);
  });
});

/** Opens a queue in PostgreSQL. `startWorker` starts a worker that only adds its jobs to `done`. */
async function openInPostgres() {
  const pipeline = await openPipeline([]);
  onTestFinished(pipeline.close);
  const settings = { databaseUrl: pipeline.url, redisUrl: undefined };
  const queue = openQueue(settings, { reconnects: false }, () => {});
  const done: unknown[] = [];
  const startWorker = () =>
    openWorker(
      settings,
      async (job) => void done.push(job),
      1,
      () => {},
    );
  return { owner: pipeline.owner, queue, done, startWorker };
}

describeWithPostgres('a job whose workers crash', () => {
  it('is run by the next worker even after ten crashes, and can be added again afterwards', async () => {
    const { owner, queue, done, startWorker } = await openInPostgres();
    const retention = { kind: 'retention' } as const;
    await queue.add(retention);
    // A crashed worker leaves its job active, with a lock that expires.
    const crashed = await owner.query(
      `UPDATE bullmq.job SET state = 'active', lock_token = 'crashed', locked_until_ms = 1, stalled_marked = true,
         stalled_count = 10 WHERE id = 'retention'`,
    );
    expect(crashed.rowCount).toBe(1);
    const worker = startWorker();
    await expect.poll(() => done).toEqual([retention]);
    const jobs = async () => (await owner.query('SELECT id, state FROM bullmq.job')).rows;
    await expect.poll(jobs).toEqual([]);
    await queue.add(retention);
    await expect.poll(() => done).toEqual([retention, retention]);
    await worker.close();
    await queue.close();
  });
});

describeWithPostgres('jobs for the same purpose', () => {
  it('run once in the first lane, whether or not they name it, and once in each other lane', async () => {
    const { queue, done, startWorker } = await openInPostgres();
    const replay = { kind: 'replay', id: 1 } as const;
    const named = { kind: 'replay', id: 2, lane: 0 } as const;
    const audit = { kind: 'audit', id: 3 } as const;
    const last = { kind: 'replay', id: 4 } as const;
    await queue.add(replay);
    await queue.add({ ...replay, lane: 0 });
    await queue.add({ ...replay, lane: 1 });
    await queue.add(named);
    await queue.add({ kind: 'replay', id: 2 });
    expect(await queue.add(audit)).toEqual(audit);
    expect(await queue.add({ kind: 'audit', id: 5, lane: 0 })).toMatchObject({ id: 3 });
    expect(await queue.add({ kind: 'audit', id: 6, lane: 1 })).toMatchObject({ id: 6 });
    await queue.add(last);
    await queue.close();
    const worker = startWorker();
    await expect.poll(() => done, { timeout: 20_000 }).toContainEqual(last);
    await worker.close();
    expect(done).toEqual([replay, { ...replay, lane: 1 }, named, audit, { kind: 'audit', id: 6, lane: 1 }, last]);
  });
});
