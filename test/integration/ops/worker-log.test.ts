import { Writable } from 'node:stream';
import { openQueue } from '@milepost/ops/queue';
import { PROJECTIONS } from '@milepost/projections';
import { withBackend } from 'bullmq';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { postgresBackend } from '../../../apps/ops/queue/postgres-backend.ts';
import { createReplayRunner } from '../../../apps/ops/worker/replays.ts';
import { scheduleJobs } from '../../../apps/ops/worker/schedule.ts';
import { runTask } from '../../../apps/ops/worker/tasks.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const { signal } = new AbortController();

describeWithPostgres("the worker's log", () => {
  let pipeline: Pipeline;
  let lines: Record<string, unknown>[];
  beforeEach(async () => {
    pipeline = await openPipeline();
    lines = [];
  });
  afterEach(async () => await pipeline.close());

  const logger = pino(
    { base: null, timestamp: false, messageKey: 'message', formatters: { level: (level) => ({ level }) } },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    }),
  );

  const run = async (job: Parameters<typeof runTask>[0], tripRetentionDays: number | null = null) =>
    await runTask(job, { pool: pipeline.projector, logger, signal, tripRetentionDays, replacedGenerationDays: 7 });

  async function deliverTrips(count: number): Promise<void> {
    const trips = Array.from({ length: count }, (_, index) =>
      tripProcessed({ source_trip_id: `trip-${index}`, driver_id: `person-${index}` }),
    );
    await deliver(pipeline.ingest, trips);
    await projectAll(pipeline);
  }

  it('has no line for an audit without a fault, and ten faults of another one, without the names of drivers', async () => {
    await deliverTrips(12);
    await run({ kind: 'audit', id: null });
    expect(lines).toEqual([]);
    await pipeline.owner.query('DELETE FROM trips');
    await run({ kind: 'audit', id: 40 });
    const fault = { check: 'missing_row', projection: 'trips', day: '2025-01-15' };
    expect(lines).toEqual([
      {
        level: 'error',
        audit: 40,
        faults: Array.from({ length: 10 }, () => fault),
        message: 'audit 40 found 12 faults: `milepost audit show 40` shows them',
      },
    ]);
    const { rows } = await pipeline.owner.query('SELECT audit_id, equal FROM audit ORDER BY audit_id');
    expect(rows).toEqual([
      { audit_id: 1, equal: true },
      { audit_id: 40, equal: false },
    ]);
  });

  it('has the cause of an audit that failed, and its report has the cause too', async () => {
    await pipeline.owner.query('ALTER TABLE trips_1 RENAME TO away');
    await run({ kind: 'audit', id: 7 });
    expect(lines).toMatchObject([{ level: 'error', message: 'audit: relation "trips_1" does not exist' }]);
    const { rows } = await pipeline.owner.query('SELECT audit_id, seconds >= 0 AS is_timed, report FROM audit');
    expect(rows).toMatchObject([
      {
        audit_id: 7,
        is_timed: true,
        report: { faults: [{ detail: 'The audit did not finish: relation "trips_1" does not exist.' }] },
      },
    ]);
  });

  it('has the replays that retention starts, and no line when retention has nothing to do', async () => {
    await run({ kind: 'retention' }, 400);
    expect(lines).toEqual([]);
    await deliverTrips(1);
    await run({ kind: 'retention' }, 400);
    const started = (await pipeline.owner.query('SELECT replay_id FROM replay ORDER BY replay_id')).rows;
    expect(started.length).toBeGreaterThan(0);
    expect(lines).toEqual([
      { level: 'info', started: started.map(({ replay_id }) => replay_id), dropping: [], message: 'retention' },
    ]);
  });

  it('has each phase of a replay, and its failure as an error without the cause, which may name a driver', async () => {
    await deliverTrips(1);
    const worker = workerOf(pipeline.projector, PROJECTIONS);
    const runner = createReplayRunner(pipeline.projector, logger, signal);
    const first = await worker.start({ projection: 'trips' });
    await runner.run(first);
    const phase = new RegExp(`^replay ${first}: (filling|indexing|catching_up|verifying|waiting)$`);
    for (const { message } of lines) expect(message).toMatch(phase);
    expect(lines.at(-1)).toEqual({
      level: 'info',
      replay: first,
      projection: 'trips',
      phase: 'waiting',
      halted: null,
      message: `replay ${first}: waiting`,
    });
    lines.length = 0;
    const second = await worker.start({ projection: 'drivers' });
    await pipeline.owner.query('ALTER TABLE stored_event RENAME COLUMN first_name TO away');
    await runner.run(second);
    expect((await worker.show(second)).halted).toBe('failed');
    expect(lines.at(-1)).toEqual({
      level: 'error',
      replay: second,
      projection: 'drivers',
      phase: 'filling',
      halted: 'failed',
      message: `replay ${second}: failed`,
    });
    expect(JSON.stringify(lines)).not.toContain('first_name');
  });
});

describeWithPostgres('the schedule of the worker', () => {
  /** Opens a queue, and a connection with which the test inspects it. */
  async function openQueues() {
    const pipeline = await openPipeline([]);
    onTestFinished(pipeline.close);
    const queue = openQueue({ databaseUrl: pipeline.url, redisUrl: undefined }, { reconnects: true }, () => {});
    const inspected = new (withBackend(postgresBackend).Queue)('milepost', { connection: pipeline.url });
    onTestFinished(async () => {
      await queue.close();
      await inspected.close();
    });
    const schedulers = async () =>
      (await inspected.getJobSchedulers())
        .map(({ name, every }) => [name, Number(every)])
        .sort(([one], [other]) => String(one).localeCompare(String(other)));
    return { queue, inspected, schedulers };
  }

  it('repeats audits and retention at their own intervals in minutes, and changes an interval of an earlier start', async () => {
    const { queue, schedulers } = await openQueues();
    for (const [audit_interval_minutes, retention_interval_minutes] of [
      [7, 11],
      [13, 5],
    ] as const) {
      const stop = new AbortController();
      const errors: Error[] = [];
      const scheduling = scheduleJobs(
        queue,
        { audit_interval_minutes, retention_interval_minutes },
        (error) => errors.push(error),
        stop.signal,
      );
      await expect.poll(schedulers, { timeout: 20_000 }).toEqual([
        ['audit', audit_interval_minutes * 60_000],
        ['retention', retention_interval_minutes * 60_000],
      ]);
      stop.abort();
      await scheduling;
      expect(errors).toEqual([]);
    }
  });

  it('returns to a queue that was emptied while the worker runs', async () => {
    const { queue, inspected, schedulers } = await openQueues();
    const stop = new AbortController();
    const errors: Error[] = [];
    const intervals = { audit_interval_minutes: 7, retention_interval_minutes: 11 };
    const scheduling = scheduleJobs(queue, intervals, (error) => errors.push(error), stop.signal, 50);
    const complete = [
      ['audit', 7 * 60_000],
      ['retention', 11 * 60_000],
    ];
    await expect.poll(schedulers).toEqual(complete);
    for (const id of ['audit', 'retention']) expect(await inspected.removeJobScheduler(id)).toBe(true);
    await expect.poll(schedulers).toEqual(complete);
    stop.abort();
    await scheduling;
    expect(errors).toEqual([]);
  });
});
