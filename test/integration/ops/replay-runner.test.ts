import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { promoteReplay } from '@milepost/replay';
import { createLogger } from '@milepost/service';
import { expect, it, onTestFinished } from 'vitest';
import { type JobQueue, openQueue } from '../../../apps/ops/queue/index.ts';
import { createReplayRunner } from '../../../apps/ops/worker/replays.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres, describeWithRedis, needsService } from '../../support/service-suites.ts';

/** The runner polls every two seconds and waits two seconds for its queue. The rest allows for a busy machine. */
const MAX_WAIT_MILLISECONDS = 20_000;

/** Starts a replay without giving a worker a job for it. */
async function startReplay() {
  const pipeline = await openPipeline();
  onTestFinished(async () => await pipeline.close());
  await deliver(pipeline.ingest, [tripProcessed({})]);
  await projectAll(pipeline);
  const worker = workerOf(pipeline.projector, PROJECTIONS);
  return { pipeline, worker, id: await worker.start({ projection: 'trips' }) };
}

/** Starts a replay. Resolves with the phase that the replay has after the runner has run it. */
async function phaseAfterRun(queue: JobQueue): Promise<string> {
  const { pipeline, worker, id } = await startReplay();
  const stop = new AbortController();
  const running = createReplayRunner(pipeline.projector, createLogger('ops', 'silent'), stop.signal).poll(queue);
  const phase = async () => (await worker.show(id)).phase;
  const deadline = Date.now() + MAX_WAIT_MILLISECONDS;
  while ((await phase()) !== 'waiting' && Date.now() < deadline);
  stop.abort();
  await running;
  return await phase();
}

describeWithPostgres('the replay runner', () => {
  it('runs a replay itself while the queue is unavailable', async () => {
    const settings = { databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl: 'redis://127.0.0.1:1' };
    const queue = openQueue(settings, { reconnects: true }, () => {});
    onTestFinished(async () => await queue.close());
    expect(await phaseAfterRun(queue)).toBe('waiting');
  });

  it('runs a replay again after an operator has promoted it', async () => {
    const { pipeline, worker, id } = await startReplay();
    const { signal } = new AbortController();
    const runner = createReplayRunner(pipeline.projector, createLogger('ops', 'silent'), signal);
    await runner.run(id);
    expect((await worker.show(id)).phase).toBe('waiting');
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    await runner.run(id);
    expect((await worker.show(id)).phase).toBe('promoted');
  });

  it('runs a replay again after an error that it could not store', async () => {
    const { pipeline, worker, id } = await startReplay();
    const { signal } = new AbortController();
    const runner = createReplayRunner(pipeline.projector, createLogger('ops', 'silent'), signal);
    await pipeline.owner.query(`REVOKE UPDATE ON replay FROM ${ROLES.projector}`);
    await runner.run(id);
    expect(await worker.show(id)).toMatchObject({ phase: 'filling', halted: null });
    await pipeline.owner.query(`GRANT UPDATE ON replay TO ${ROLES.projector}`);
    await runner.run(id);
    expect((await worker.show(id)).phase).toBe('waiting');
  });
});

describeWithRedis('the runner of replays with a queue in Redis', (redisUrl) => {
  it('runs a replay itself when no worker processes its job', needsService('postgres'), async () => {
    // No worker uses this Redis database, as if the job's worker had died.
    const settings = { databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl: new URL('/9', redisUrl).href };
    const queue = openQueue(settings, { reconnects: true }, () => {});
    onTestFinished(async () => await queue.close());
    expect(await phaseAfterRun(queue)).toBe('waiting');
  });
});
