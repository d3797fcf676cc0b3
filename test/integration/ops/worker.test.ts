import { setTimeout as delay } from 'node:timers/promises';
import { JobMetrics } from '@milepost/metrics/jobs';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { promoteReplay } from '@milepost/replay';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { runJob, runNext } from '../../../apps/ops/worker/jobs.ts';
import { createReplayRunner } from '../../../apps/ops/worker/replays.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliverAndProject, openPool } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { numberedTrips } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

describeWithOwnPipeline('the worker', (pipeline) => {
  let lines: Record<string, unknown>[];
  beforeEach(async () => {
    lines = [];
    await deliverAndProject(pipeline, numberedTrips(12));
    await pipeline.owner.query('UPDATE job SET ended_at = now()');
  });

  const logger = pino(
    { base: null, timestamp: false, messageKey: 'message', formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );

  const defaults = {
    auditIntervalMinutes: 7,
    retention: { tripRetentionDays: 400, replacedGenerationDays: 7 },
    metrics: new JobMetrics(),
    signal: new AbortController().signal,
  };
  const runOne = async (options: Partial<typeof defaults> = {}, pool = pipeline.projector) =>
    await runNext([{ pool, logger }], { ...defaults, ...options });
  const request = async (kind: 'audit' | 'retention', id: number | null = null) =>
    await pipeline.owner.query('UPDATE job SET requested = true, audit_id = $2 WHERE kind = $1', [kind, id]);
  const audits = async () =>
    (await pipeline.owner.query('SELECT audit_id AS id, equal FROM audit ORDER BY audit_id')).rows;

  /** Runs an audit that waits for a lock until `work` ends. */
  async function duringAudit<Result>(
    work: () => Promise<Result>,
    running = async () => await runOne(),
  ): Promise<Result> {
    let result: Promise<Result> | undefined;
    const blocked = async () => {
      await lockWaiters(pipeline.owner, 1);
      result = work();
      await result;
    };
    await whileLocked(pipeline.owner, 'LOCK TABLE trips_1', blocked, running);
    if (!result) throw new Error('No audit was running.');
    return await result;
  }

  it('runs a requested audit once, even if several workers find it', async () => {
    await request('audit', 40);
    const found = async () => await Promise.all([runOne(), runOne(), runOne()]);
    expect(await duringAudit(found)).toEqual([false, false, false]);
    expect(await found()).toEqual([false, false, false]);
    expect(await audits()).toEqual([{ id: 40, equal: true }]);
  });

  it('does not repeat a job that another worker has done since the job was found', async () => {
    expect(await runJob({ pool: pipeline.projector, logger }, 'audit', defaults)).toBe(false);
    expect(await audits()).toEqual([]);
  });

  it('runs the jobs of another worker after that worker has been killed', async () => {
    const other = await pipeline.operator.connect();
    other.on('error', () => {});
    await other.query("SELECT pg_advisory_lock('job'::regclass::oid::bigint)");
    await request('audit', 40);
    expect(await runOne()).toBe(false);
    // The server ends a killed worker's session.
    other.release(true);
    await expect.poll(() => runOne()).toBe(true);
    expect(await audits()).toEqual([{ id: 40, equal: true }]);
  });

  it('runs scheduled jobs once per interval, however many workers there are', async () => {
    expect(await runOne()).toBe(false);
    const passed = async (minutes: number) =>
      await pipeline.owner.query('UPDATE job SET ended_at = ended_at - make_interval(mins => $1)', [minutes]);
    await passed(8);
    for (let round = 0; round < 3; round += 1) await Promise.all([runOne(), runOne(), runOne()]);
    expect(await audits()).toHaveLength(1);
    expect(lines).toEqual([]);
    await passed(53);
    while (await runOne());
    expect(await audits()).toHaveLength(2);
    expect(lines).toMatchObject([{ message: 'Retention has run.' }]);
  });

  it('runs a job again if it was requested during a scheduled run', async () => {
    await pipeline.owner.query("UPDATE job SET ended_at = NULL WHERE kind = 'audit'");
    await duringAudit(async () => await request('audit', 40));
    expect(await audits()).toEqual([{ id: 1, equal: true }]);
    expect(await runOne()).toBe(true);
    expect(await audits()).toMatchObject([{ id: 1 }, { id: 40 }]);
    expect(await runOne()).toBe(false);
  });

  it("logs nothing about an audit without a fault, ten faults of another audit, and no drivers' names", async () => {
    await request('audit', 39);
    await runOne();
    expect(lines).toEqual([]);
    await pipeline.owner.query('DELETE FROM trips');
    await request('audit', 40);
    await runOne();
    const faults = Array(10).fill({ check: 'missing_row', projection: 'trips', day: '2025-01-15' });
    const message = 'Audit 40 found 12 faults: `milepost audit show 40` shows them.';
    expect(lines).toEqual([{ level: 'error', audit: 40, faults, message }]);
    expect(await audits()).toEqual([
      { id: 39, equal: true },
      { id: 40, equal: false },
    ]);
  });

  it('logs and reports the cause of an audit that failed, and does not repeat it', async () => {
    await pipeline.owner.query('ALTER TABLE trips_1 RENAME TO away');
    await request('audit', 7);
    expect(await runOne()).toBe(true);
    expect(lines).toMatchObject([{ level: 'error', message: 'The audit failed: relation "trips_1" does not exist.' }]);
    const { rows } = await pipeline.owner.query('SELECT audit_id, seconds >= 0 AS is_timed, report FROM audit');
    const detail = 'The audit did not finish: relation "trips_1" does not exist.';
    expect(rows).toMatchObject([{ audit_id: 7, is_timed: true, report: { faults: [{ detail }] } }]);
    expect(await runOne()).toBe(false);
  });

  it('runs a requested job before scheduled jobs, and logs the replays that retention starts', async () => {
    await pipeline.owner.query("UPDATE job SET ended_at = NULL WHERE kind = 'audit'");
    await request('retention');
    await runOne();
    const { rows } = await pipeline.owner.query('SELECT replay_id FROM replay ORDER BY replay_id');
    const started = rows.map(({ replay_id }) => replay_id);
    expect(started.length).toBeGreaterThan(0);
    expect(lines).toEqual([{ level: 'info', started, dropping: [], message: 'Retention has run.' }]);
  });

  it('stops without waiting for a database that became unavailable during an audit', async () => {
    const stop = new AbortController();
    const ends: (() => Promise<void>)[] = [];
    // An audit can fail before it reaches the lock. It is then requested again, on a new connection.
    const running = async () => {
      for (let attempt = 0; attempt < 30 && !stop.signal.aborted; attempt += 1) {
        await delay(attempt * 100);
        const proxy = await startProxyTo(pipeline.url);
        const pool = openPool(proxy.url, ROLES.projector);
        ends.unshift(proxy.cut, async () => await pool.end());
        await request('audit');
        await runOne({ signal: stop.signal }, pool);
      }
      if (!stop.signal.aborted) throw new Error(`No audit reached the lock: ${JSON.stringify(lines)}`);
      return false;
    };
    const before = await duringAudit(async () => {
      const stored = await audits();
      await ends[0]?.();
      stop.abort();
      return stored;
    }, running);
    for (const end of ends) await end();
    expect(await audits()).toEqual(before);
    await expect.poll(() => runOne()).toBe(true);
    expect(await audits()).toEqual([...before, { id: expect.any(Number), equal: true }]);
  });

  const runner = () => createReplayRunner(pipeline.projector, logger, new JobMetrics(), new AbortController().signal);

  it('finds a replay by itself, and runs it again after its promotion or an error that was not stored', async () => {
    const worker = workerOf(pipeline.projector, PROJECTIONS);
    const { start, ended } = runner();
    const look = async () => {
      await start();
      await ended();
    };
    const id = await worker.start({ projection: 'trips' });
    await pipeline.owner.query(`REVOKE UPDATE ON replay FROM ${ROLES.projector}`);
    await look();
    expect(await worker.show(id)).toMatchObject({ phase: 'filling', halted: null });
    await pipeline.owner.query(`GRANT UPDATE ON replay TO ${ROLES.projector}`);
    await look();
    expect((await worker.show(id)).phase).toBe('waiting');
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    await look();
    expect((await worker.show(id)).phase).toBe('promoted');
  });

  it('logs each phase of a replay, and a failure as an error without the cause, which may name a driver', async () => {
    const worker = workerOf(pipeline.projector, PROJECTIONS);
    const { run } = runner();
    const first = await worker.start({ projection: 'trips' });
    await run(first);
    const phase = new RegExp(`^Replay ${first}: (filling|indexing|catching_up|verifying|waiting)\\.$`);
    for (const { message } of lines) expect(message).toMatch(phase);
    const waiting = { level: 'info', replay: first, projection: 'trips', phase: 'waiting', halted: null };
    expect(lines.at(-1)).toEqual({ ...waiting, message: `Replay ${first}: waiting.` });
    lines = [];
    const second = await worker.start({ projection: 'drivers' });
    await pipeline.owner.query('ALTER TABLE stored_event RENAME COLUMN first_name TO away');
    await run(second);
    expect((await worker.show(second)).halted).toBe('failed');
    const failed = { level: 'error', replay: second, projection: 'drivers', phase: 'filling', halted: 'failed' };
    expect(lines.at(-1)).toEqual({ ...failed, message: `Replay ${second}: failed.` });
    expect(JSON.stringify(lines)).not.toContain('first_name');
  });
});
