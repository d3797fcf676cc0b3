import { PROJECTIONS } from '@milepost/projections';
import { expect, it, onTestFinished } from 'vitest';
import { startStartingPostgres } from '../support/faults/starting-postgres.ts';
import { openPipeline } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { workerOf } from '../support/replay.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';

describeWithPostgres('an ops process that starts before PostgreSQL has recovered', () => {
  it('responds during the recovery without a busy loop, and then runs replays', async () => {
    const pipeline = await openPipeline();
    onTestFinished(async () => await pipeline.close());
    const postgres = await startStartingPostgres(pipeline.url);
    onTestFinished(() => postgres.close());
    const [port = 0] = await freePorts(1);
    const processes = new Processes({ DATABASE_URL: postgres.url, OPS_PORT: String(port), LOG_LEVEL: 'info' });
    onTestFinished(async () => await processes.end());
    const ops = processes.start('ops');
    const wait = { timeout: 20_000, interval: 50 };
    await expect.poll(() => ops.output(), wait).toContain('not yet accepting connections');
    const health = async () => {
      const signal = AbortSignal.timeout(1_000);
      return await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).then(
        ({ status }) => status,
        () => null,
      );
    };
    await expect.poll(health, wait).toBe(200);
    postgres.begin();
    const worker = workerOf(pipeline.projector, PROJECTIONS);
    const id = await worker.start({ projection: 'trips' });
    await expect.poll(async () => (await worker.show(id)).phase, wait).toBe('waiting');
    expect(await ops.stop()).toBe(0);
  });
});

describeWithPostgres('a process that starts before PostgreSQL has recovered', (serverUrl) => {
  it.each([
    ['api', 'The API is listening'],
    ['ingest', 'the database is not ready: retrying'],
    ['projector', 'the lanes could not be read; retrying'],
  ])('serves its metrics while it waits: %s', async (name, message) => {
    const postgres = await startStartingPostgres(serverUrl);
    onTestFinished(() => postgres.close());
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const processes = new Processes({
      DATABASE_URL: postgres.url,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'info',
      KAFKA_BROKERS: '127.0.0.1:1',
    });
    onTestFinished(async () => await processes.end());
    const waiting = processes.start(name);
    await expect.poll(waiting.output).toContain(message);
    const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      async (answer) => [answer.status, await answer.text()],
      (error: unknown) => [error, ''],
    );
    expect(scraped).toEqual([200, expect.stringContaining('process_cpu_seconds_total')]);
    expect(await waiting.stop()).toBe(0);
  });
});
