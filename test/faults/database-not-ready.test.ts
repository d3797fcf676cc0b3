import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { fatalErrorResponse, startPostgresProxy } from '../support/faults/postgres-proxy.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { send } from '../support/http.ts';
import { openPipeline } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { workerOf } from '../support/replay.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { portSettings } from '../support/services/free-port.ts';

const NOT_READY = fatalErrorResponse('57P03', 'the database system is not yet accepting connections');

/** Starts a proxy that responds like a recovering server until `begin` is called. */
async function startStartingPostgres(url: string) {
  let isReady = false;
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    if (isReady) client.pipe(openUpstream()).pipe(client);
    else client.once('data', () => client.end(NOT_READY));
  });
  const begin = () => {
    isReady = true;
  };
  return { ...proxy, begin };
}

describeWithPostgres('an ops process that starts before PostgreSQL has recovered', () => {
  it('responds during the recovery without a busy loop, and then runs replays', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const postgres = untilTestEnds(await startStartingPostgres(pipeline.url));
    const ports = await portSettings('OPS_PORT');
    const settings = { ...ports, DATABASE_URL: postgres.url, LOG_LEVEL: 'info' };
    const ops = untilTestEnds(new Processes(settings)).start('ops');
    const wait = { timeout: 20_000, interval: 50 };
    await expect.poll(() => ops.output(), wait).toContain('not yet accepting connections');
    const health = async () =>
      await send(`http://127.0.0.1:${ports['OPS_PORT']}`, { path: '/healthz' }).catch(() => null);
    await expect.poll(health, wait).toMatchObject({ statusCode: 200 });
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
    const postgres = untilTestEnds(await startStartingPostgres(serverUrl));
    const ports = await portSettings('PORT', 'METRICS_PORT');
    const settings = { ...ports, DATABASE_URL: postgres.url, LOG_LEVEL: 'info', KAFKA_BROKERS: '127.0.0.1:1' };
    const waiting = untilTestEnds(new Processes(settings)).start(name);
    await expect.poll(waiting.output).toContain(message);
    const scraped = await fetch(`http://127.0.0.1:${ports['METRICS_PORT']}/metrics`).then(
      async (answer) => [answer.status, await answer.text()],
      (error: unknown) => [error, ''],
    );
    expect(scraped).toEqual([200, expect.stringContaining('process_cpu_seconds_total')]);
    expect(await waiting.stop()).toBe(0);
  });
});
