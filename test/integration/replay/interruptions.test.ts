import { laneAt, ROLES } from '@milepost/postgres';
import { cancelReplay } from '@milepost/replay';
import { beforeAll, expect, it, vi } from 'vitest';
import { type PartPool, ServerPools } from '../../../packages/platform/postgres/pool.ts';
import { perSuite } from '../../support/fixtures.ts';
import { positionsProjection } from '../../support/fold.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { orphanTables, replaysOf, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const WORKER = 'interrupted-worker';

/** The connections of a worker that pauses before a statement or transaction with a given number. */
class PausingPools extends ServerPools {
  readonly paused = Promise.withResolvers<void>();
  readonly resumed = Promise.withResolvers<void>();
  #left: number;

  constructor(left: number) {
    super({ role: ROLES.projector, applicationName: WORKER, connections: 6, statementTimeoutMilliseconds: 60_000 });
    this.#left = left;
  }

  override async take(pool: PartPool) {
    this.#left -= 1;
    if (this.#left <= 0) {
      this.paused.resolve();
      await this.resumed.promise;
    }
    return await super.take(pool);
  }
}

describeWithPostgres('a replay whose worker is interrupted before any of its statements and transactions', () => {
  const pipeline = perSuite(() => openPipeline([projection]));
  const { projection } = positionsProjection('fake', 1, 40);

  const grow = async () => {
    const { headPosition } = await deliver(pipeline.ingest, [tripProcessed({ source_trip_id: crypto.randomUUID() })]);
    await projectAll(pipeline, [projection]);
    return headPosition;
  };
  beforeAll(async () => {
    for (let trips = 0; trips < 3; trips += 1) await grow();
  });

  const one = async (sql: string, ...values: unknown[]) => (await pipeline.rows(sql, ...values))[0];

  /** Pauses the first worker, starts `interrupt`, and resumes the worker once `interrupt` ends or waits for a lock. */
  async function interruptBefore(left: number, interrupt: (id: number) => Promise<void>) {
    const pools = new PausingPools(left);
    const pool = pools.open(laneAt(pipeline.url));
    const second = replaysOf(pipeline, [projection]);
    const id = await second.start({ projection: 'fake', promote: true });
    const running = workerOf(pool, [projection]).run(id, { workers: 1 });
    const isInterrupted = await Promise.race([pools.paused.promise.then(() => true), running.then(() => false)]);
    let hasEnded = false;
    const interrupting = Promise.all([grow(), isInterrupted ? interrupt(id) : null]).finally(() => {
      hasEnded = true;
    });
    const isWaiting = async () =>
      (await one(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)) !==
      undefined;
    await vi.waitUntil(async () => hasEnded || (await isWaiting()), { timeout: 120_000, interval: 5 });
    pools.resumed.resolve();
    await Promise.all([running, interrupting]);
    await pool.end();
    return { id, head: (await interrupting)[0], isInterrupted };
  }

  const expire = async () => await one(`UPDATE replay SET lease_expires_at = now() - interval '1 hour'`);

  it.each<[string, (id: number) => Promise<void>]>([
    [
      'is promoted once if another worker claims it',
      async (id) => {
        await expire();
        await replaysOf(pipeline, [projection]).run(id, { workers: 1 });
      },
    ],
    [
      'leaves nothing behind if the worker loses its connections and an operator cancels it',
      async (id) => {
        await one(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
          WORKER,
        );
        await cancelReplay(pipeline.operator, id).catch((error) => expect(String(error)).toContain('promoted'));
        await expire();
        await replaysOf(pipeline, [projection]).run(id, { workers: 1 });
      },
    ],
  ])(
    '%s',
    async (title, interrupt) => {
      for (let step = 1, isInterrupted = true; isInterrupted; step += 1) {
        const before = await one('SELECT generation FROM generation WHERE live');
        const ended = await interruptBefore(step, interrupt);
        isInterrupted = ended.isInterrupted;
        const { phase, generation, replaced } =
          (await one(
            `SELECT phase, generation, replaced_generation AS replaced FROM replay JOIN replay_member USING (replay_id)
         WHERE replay_id = $1 AND halted IS NULL AND NOT active`,
            ended.id,
          )) ?? {};
        const isCancelled = isInterrupted && title.startsWith('leaves') && phase === 'cancelled';
        expect(
          {
            phase,
            replaced,
            chunks: await one('SELECT FROM replay_chunk'),
            orphans: await orphanTables(pipeline),
            live: await one('SELECT generation FROM generation WHERE live'),
            ...(await one('SELECT array_agg(position::integer ORDER BY position) AS positions FROM fake')),
          },
          `step ${step}`,
        ).toEqual({
          phase: isCancelled ? 'cancelled' : 'promoted',
          replaced: isCancelled ? null : before?.['generation'],
          chunks: undefined,
          orphans: [],
          live: isCancelled ? before : { generation },
          positions: Array.from({ length: ended.head }, (_, index) => index + 1),
        });
      }
    },
    300_000,
  );
});
