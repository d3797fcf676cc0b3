import { openQueue, openWorker } from '@milepost/ops/queue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresBackend } from '../../../apps/ops/queue/postgres-backend.ts';
import { type CuttingPostgres, startCuttingPostgres } from '../../support/faults/cutting-postgres.ts';
import { openPipeline, type Pipeline } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const CUTS = 60;

/** Opens a worker and a queue, each with its own database URL. Also returns the ids of the completed jobs. */
function openBoth(workerUrl: string, queueUrl: string) {
  const done = new Set<number>();
  const process = async (data: { kind: string; id?: number | null }) => {
    if (typeof data.id === 'number') done.add(data.id);
  };
  const worker = openWorker({ databaseUrl: workerUrl, redisUrl: undefined }, process, 2, () => {});
  const queue = openQueue({ databaseUrl: queueUrl, redisUrl: undefined }, { reconnects: true }, () => {});
  const close = async () => {
    await worker.close();
    await queue.close();
  };
  return { queue, done, close };
}

describeWithPostgres('the queue in PostgreSQL', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline([]);
  });
  afterAll(async () => await pipeline.close());

  /** Terminates all of the queue's connections and returns their number. */
  async function cut(): Promise<number> {
    const { rows } = await pipeline.owner.query<{ cuts: number }>(
      `SELECT count(pg_terminate_backend(pid)) AS cuts FROM pg_stat_activity
       WHERE datname = current_database() AND application_name <> 'milepost-test'`,
    );
    return rows[0]?.cuts ?? 0;
  }

  it('survives terminated connections, both idle and in use, and completes later jobs', async () => {
    const { queue, done, close } = openBoth(pipeline.url, pipeline.url);
    let cuts = 0;
    let added = 0;
    while (cuts < CUTS) {
      // Both run concurrently, so that some connections break during a statement. An unhandled error would fail the
      // test.
      added += 1;
      const [, more] = await Promise.all([queue.add({ kind: 'replay', id: added }).catch(() => {}), cut()]);
      cuts += more;
    }
    const last = added + 1;
    await expect
      .poll(async () => {
        await queue.add({ kind: 'replay', id: last }).catch(() => {});
        return done.has(last);
      })
      .toBe(true);
    await close();
  });

  /** Adds jobs until a connection has been cut and a job that was added after that is done. */
  async function workPastCut(server: CuttingPostgres, queueUrl: string): Promise<void> {
    const { queue, done, close } = openBoth(server.url, queueUrl);
    let added = 0;
    let cutAfter: number | null = null;
    await expect
      .poll(async () => {
        // Three concurrent jobs use three of the queue's connections, and the worker has at least two.
        const ids = [added + 1, added + 2, added + 3];
        added += 3;
        await Promise.allSettled(ids.map(async (id) => await queue.add({ kind: 'replay', id })));
        if (server.hasCut()) cutAfter ??= added;
        return cutAfter !== null && Math.max(...done) > cutAfter;
      })
      .toBe(true);
    await close();
    server.close();
  }

  it('listens for jobs again when its connection is lost before BullMQ listens for its errors', async () => {
    // Before BullMQ gets the connection, the only statement on it is the one with the connection's settings.
    const server = await startCuttingPostgres(pipeline.url, 1, 1);
    const backend = postgresBackend('milepost', { connection: server.url });
    backend.on('error', () => {});
    const listens = async () => {
      const client = await backend.connection.getListenClient();
      return await client.query('SELECT').then(
        () => true,
        () => false,
      );
    };
    expect(await listens()).toBe(false);
    await expect.poll(listens, { timeout: 10_000 }).toBe(true);
    await backend.close();
    server.close();
  });

  it.each([1, 2, 3, 4, 5])(
    'survives the loss of connection %i at the moment when that connection becomes ready',
    async (ordinal) => {
      const server = await startCuttingPostgres(pipeline.url, ordinal);
      await workPastCut(server, server.url);
    },
  );

  // Only the order of the worker's connections is known. By default, BullMQ listens for jobs on the second one.
  it.each([1, 2])(
    "survives the loss of its worker's connection %i at the moment when that connection becomes ready",
    async (ordinal) => {
      await workPastCut(await startCuttingPostgres(pipeline.url, ordinal), pipeline.url);
    },
  );
});
