import { setImmediate as immediate } from 'node:timers/promises';
import { dateOf, MILLISECONDS_PER_DAY, mondayOf } from '@milepost/domain/calendar';
import { readHeadPosition } from '@milepost/event-log/head';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type Projection, prepareGenerations } from '@milepost/projections/engine';
import {
  cancelReplay,
  pauseReplay,
  promoteReplay,
  ReplayRefusedError,
  resumeReplay,
  startReplay,
  throttleReplay,
} from '@milepost/replay';
import { beforeEach, describe, expect, it } from 'vitest';
import { history } from '../../support/faults/history.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { positionsProjection, projectionNamed, upTo } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import {
  deliver,
  deliverAndProject,
  openPipeline,
  openPool,
  type Pipeline,
  projectAll,
} from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { driverProfile } from '../../support/records.ts';
import { FAST, inSmallChunks, orphanTables, replaysOf, watchedChunks, withStages } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { tableTexts } from '../../support/tables.ts';

const trips = inSmallChunks([projectionNamed('trips')], 3);

describeWithOwnPipeline('a replay', (pipeline) => {
  beforeEach(async () => void (await deliverAndProject(pipeline, history(1, 40))));

  const liveTexts = async ({ name }: Projection) => await tableTexts(pipeline.owner, name);

  it('builds the live rows, verifies them as equal, promotes them and rolls them back', async () => {
    const all = inSmallChunks(PROJECTIONS, 4);
    const worker = replaysOf(pipeline, all);
    const before = await Promise.all(all.map(liveTexts));
    const id = await worker.start({ projection: 'all', promote: true });
    // These stored events come after the replay's target position, but they are stored before the replay ends.
    await deliver(pipeline.ingest, history(41, 50));
    const view = await worker.outcome(id);
    expect(view).toMatchObject({ phase: 'promoted', error: null, verification: { equal: true, differences: 0 } });
    expect(view.verification?.tables.map((table) => table.live.rows)).toEqual(
      view.verification?.tables.map((table) => table.replayed.rows),
    );
    expect(await Promise.all(all.map(liveTexts))).toEqual(before);
    await projectAll(pipeline);
    const after = await Promise.all(all.map(liveTexts));
    expect(after).not.toEqual(before);
    const back = await worker.startRollBack('all');
    await worker.run(back);
    // Even the stored events since the promotion have been applied to the restored generations.
    expect(await Promise.all(all.map(liveTexts))).toEqual(after);
    expect((await worker.show(back)).generations.map(({ generation }) => generation)).toEqual(all.map(() => 1));
    expect(await orphanTables(pipeline)).toEqual([]);
    // The API and the projector continue with the live generations.
    await pipeline.api.query('SELECT count(*) FROM trips');
    await deliverAndProject(pipeline, history(60, 62));
  });

  it('reports each difference with both values, and is promoted only if an operator accepts them', async () => {
    const worker = replaysOf(pipeline, trips);
    await pipeline.owner.query(`UPDATE trips_1 SET tracking_id = 'other' WHERE ctid = (SELECT min(ctid) FROM trips_1)`);
    await pipeline.owner.query(`DELETE FROM trips_1 WHERE ctid = (SELECT min(ctid) FROM trips_1)`);
    const id = await worker.start({ projection: 'trips', promote: true });
    const view = await worker.outcome(id);
    expect(view).toMatchObject({ phase: 'waiting', verification: { equal: false, expected: false, differences: 2 } });
    expect(view.error).toContain('2 rows differ');
    const [table] = view.verification?.tables ?? [];
    expect(table?.samples).toHaveLength(2);
    expect(table?.samples.filter((sample) => sample.live === null)).toHaveLength(1);
    expect(table?.differing_days.length).toBeGreaterThan(0);
    const promoting = promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    await expect(promoting).rejects.toThrow(ReplayRefusedError);
    await promoteReplay(pipeline.operator, id, { acceptDifferences: true });
    expect((await worker.outcome(id)).phase).toBe('promoted');
    await worker.drop(id);
    expect(await orphanTables(pipeline)).toEqual([]);
    const kept = "SELECT generation FROM generation WHERE projection = 'trips' AND dropped_at IS NULL";
    expect(await pipeline.rows(kept)).toEqual([{ generation: 2 }]);
  });

  it("verifies its tables again after the snapshot's connection was lost", async () => {
    const worker = replaysOf(pipeline, PROJECTIONS);
    const id = await worker.start({ projection: 'all', throttle: 9_000 });
    const cut = async () => {
      await lockWaiters(pipeline.owner, 1);
      const rows = await pipeline.rows(
        `SELECT pg_terminate_backend(pid, 10000) AS cut FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%pg_export_snapshot()%'`,
      );
      expect(rows).toEqual([{ cut: true }]);
    };
    // With a throttle, the replay compares one table at a time. After `drivers_1`, it still needs the snapshot.
    await whileLocked(pipeline.owner, 'LOCK TABLE drivers_1', cut, async () => await worker.run(id));
    const { phase, error, verification } = await worker.show(id);
    expect({ phase, error }).toEqual({ phase: 'waiting', error: null });
    expect(verification?.tables).toHaveLength(PROJECTIONS.length);
  });

  it("keeps its verification's snapshot if a comparison takes longer than a transaction may be idle", async () => {
    const pool = untilTestEnds(openPool(pipeline.url, ROLES.projector));
    pool.on('connect', (client) => void client.query("SET idle_in_transaction_session_timeout = '2s'"));
    const worker = replaysOf({ operator: pipeline.operator, projector: pool }, PROJECTIONS);
    const id = await worker.start({ projection: 'all', throttle: 9_000 });
    const outwait = async () => {
      await lockWaiters(pipeline.owner, 1);
      await pipeline.owner.query('SELECT pg_sleep(3)');
      const rows = await pipeline.rows(
        `SELECT state FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE '%pg_export_snapshot()%' AND pid <> pg_backend_pid()`,
      );
      expect(rows).toEqual([{ state: 'idle in transaction' }]);
    };
    await whileLocked(pipeline.owner, 'LOCK TABLE drivers_1', outwait, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'waiting', error: null });
  });

  it('expects differences and different columns if the version has changed', async () => {
    const [daily, unchanged] = inSmallChunks([projectionNamed('daily_rollups'), projectionNamed('trips')], 5);
    if (!daily || !unchanged) throw new Error('There is no projection of this name.');
    const version = daily.version + 1;
    // Another projection already has the new version.
    await pipeline.owner.query("UPDATE generation SET version = $1 WHERE projection = 'trips'", [version]);
    const changed: Projection = {
      ...daily,
      version,
      view: (table) => `SELECT 1 AS added, * FROM ${table}`,
      createIndexes: (table) =>
        `UPDATE ${table} SET summary = replace(summary, '"trip_count":1', '"trip_count":7'); ${daily.createIndexes(table)}`,
    };
    const worker = replaysOf(pipeline, [changed, { ...unchanged, version }]);
    const id = await worker.start({ projection: 'all', promote: true });
    const verification = { equal: false, expected: true };
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', verification });
    expect(await pipeline.rows('SELECT added FROM daily_rollups LIMIT 1')).toEqual([{ added: 1 }]);
    await expect(worker.startRollBack('all')).rejects.toMatchObject({
      refusal: { code: 'earlier_version', version: 1, releaseVersion: 2 },
    });
  });

  it('continues with the remaining chunks if its process stops during the fill', async () => {
    const stop = new AbortController();
    const stopping = trips.map((projection) =>
      watchedChunks(projection, async ({ after }) => {
        if (after > 0) stop.abort();
      }),
    );
    const first = replaysOf(pipeline, stopping);
    const id = await first.start({ projection: 'trips' });
    await first.run(id, { signal: stop.signal, workers: 1 });
    const next = replaysOf(pipeline, trips);
    expect(await next.show(id)).toMatchObject({ phase: 'filling', halted: null });
    expect(await next.outcome(id)).toMatchObject({ phase: 'waiting', verification: { equal: true } });
  });

  it('keeps the generation that a rollback needs if an older replay is dropped', async () => {
    const worker = replaysOf(pipeline, trips);
    const first = await worker.startAndRun({ projection: 'trips', promote: true });
    const second = await worker.startAndRun({ projection: 'trips', promote: true });
    await worker.drop(first);
    const back = await worker.startRollBack('trips');
    expect(await worker.outcome(back)).toMatchObject({ phase: 'promoted', generations: [{ generation: 2 }] });
    await worker.drop(second);
    expect(await orphanTables(pipeline)).toEqual([]);
  });

  it('is rolled back to the generation that was live last, even if that was restored by a rollback', async () => {
    const worker = replaysOf(pipeline, trips);
    for (let count = 0; count < 2; count++) await worker.startAndRun({ projection: 'trips', promote: true });
    for (const generation of [2, 3, 2]) {
      const back = await worker.startRollBack('trips');
      expect(await worker.outcome(back)).toMatchObject({ phase: 'promoted', generations: [{ generation }] });
    }
  });

  describe('of two rollups', () => {
    /** Returns both rollups, and a count of the positions that their shared fill has summed up. */
    function countedRollups() {
      const summed = { positions: 0 };
      const { fill } = withStages(projectionNamed('daily_rollups'), (stage, index) => ({
        ...stage,
        run: async (transaction, chunk, filling) => {
          await stage.run(transaction, chunk, filling);
          if (index === 0) summed.positions += chunk.events;
        },
      }));
      const rollups = ['daily_rollups', 'weekly_rollups'].map((name) => ({ ...projectionNamed(name), fill }));
      return { rollups: inSmallChunks(rollups, 5), summed };
    }

    it('named in any order, sums up the trips once and fills both tables from the sums', async () => {
      const { rollups, summed } = countedRollups();
      const worker = replaysOf(pipeline, rollups);
      const id = await worker.start({ projection: 'weekly_rollups, daily_rollups' });
      expect(await worker.start({ projection: 'daily_rollups,weekly_rollups' })).toBe(id);
      const { target, verification } = await worker.outcome(id);
      expect(summed.positions).toBe(target);
      expect(verification).toMatchObject({ equal: true, differences: 0 });
      expect(verification?.tables.map((table) => table.replayed.rows > 0)).toEqual([true, true]);
    });

    it('sums up the trips separately for each table if one table keeps fewer days', async () => {
      const { rollups, summed } = countedRollups();
      const worker = replaysOf(pipeline, rollups);
      const cutoff = mondayOf(dateOf(Date.now() - 21 * MILLISECONDS_PER_DAY));
      await worker.startAndRun({ projection: 'weekly_rollups', cutoff, promote: true, acceptDifferences: true });
      summed.positions = 0;
      const id = await worker.start({ projection: 'all', promote: true });
      expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', verification: { equal: true } });
      expect(summed.positions).toBe(2 * (await worker.show(id)).target);
      const sql = 'SELECT FROM daily_rollups WHERE date < (SELECT min(through_date) FROM weekly_rollups)';
      expect(await pipeline.rows(sql)).not.toEqual([]);
    });
  });

  it("stores a driver's trips next to each other, in the order of the trip list", async () => {
    const worker = replaysOf(pipeline, trips);
    await worker.startAndRun({ projection: 'trips' });
    const isInOrder = (table: string) =>
      `(SELECT array_agg(trip_id ORDER BY ctid) = array_agg(trip_id ORDER BY fleet_id, driver_id, trip_start_time, trip_id)
        FROM ${table})`;
    const sql = `SELECT ${isInOrder('trips_2')} AS replayed, ${isInOrder('trips_1')} AS live`;
    // The live table keeps the order of arrival.
    expect(await pipeline.rows(sql)).toEqual([{ replayed: true, live: false }]);
  });

  it('rolls back together only the projections that were promoted together', async () => {
    const three = inSmallChunks(['trips', 'drivers', 'daily_rollups'].map(projectionNamed), 20);
    const worker = replaysOf(pipeline, three);
    const all = await worker.startAndRun({ projection: 'all', promote: true });
    const one = await worker.startAndRun({ projection: 'drivers', promote: true });
    const replaced = { live: false, can_be_rolled_back: false, next: ['drop'] };
    expect(await worker.show(all)).toMatchObject(replaced);
    expect(await worker.show(one)).toMatchObject({ live: true, can_be_rolled_back: true });
    await expect(worker.startRollBack('all')).rejects.toMatchObject({
      refusal: {
        code: 'promoted_apart',
        promotions: [
          { id: all, projections: ['trips', 'daily_rollups'] },
          { id: one, projections: ['drivers'] },
        ],
      },
    });
    expect(await worker.outcome(await worker.startRollBack('drivers'))).toMatchObject({
      live: true,
      generations: [{ projection: 'drivers', generation: 2 }],
    });
    expect((await worker.show(one)).live).toBe(false);
  });

  it('runs alongside another replay, accepts repeated requests and refuses conflicting ones', async () => {
    const worker = replaysOf(pipeline, PROJECTIONS);
    const id = await worker.start({ projection: 'trips' });
    const request = { ...FAST, projection: 'trips' };
    const asked = await Promise.all(upTo(5).map(() => startReplay(pipeline.operator, PROJECTIONS, request)));
    expect(asked).toEqual(upTo(5).map(() => ({ id, created: false })));
    await expect(worker.start({ projection: 'all' })).rejects.toMatchObject({
      refusal: { code: 'in_the_way', id, projection: 'trips', phase: 'filling' },
    });
    await expect(worker.start({ projection: 'nothing' })).rejects.toMatchObject({
      refusal: { code: 'unknown_projection', name: 'nothing' },
    });
    const other = await worker.start({ projection: 'daily_rollups' });
    await Promise.all([worker.run(id), worker.run(other)]);
    for (const each of [id, other])
      expect(await worker.show(each)).toMatchObject({ phase: 'waiting', verification: { equal: true } });
  });

  it('pauses, resumes at a different rate, and is cancelled completely while it runs', async () => {
    const reached = Promise.withResolvers<void>();
    const watched = trips.map((projection) =>
      watchedChunks(projection, async ({ after }) => {
        if (after >= 9) reached.resolve();
      }),
    );
    const worker = replaysOf(pipeline, watched);
    // With this throttle, the fill is slow enough that the pause takes effect before the fill ends.
    const id = await worker.start({ projection: 'trips', throttle: 30 });
    const running = worker.run(id);
    await reached.promise;
    await pauseReplay(pipeline.operator, id);
    await running;
    const paused = await worker.show(id);
    expect(paused).toMatchObject({ phase: 'filling', halted: 'paused', running: false });
    expect(paused.position).toBeGreaterThan(0);
    expect(paused.position).toBeLessThan(paused.target);
    await throttleReplay(pipeline.operator, id, 20);
    await resumeReplay(pipeline.operator, id);
    const again = worker.run(id);
    await throttleReplay(pipeline.operator, id, 'off');
    await again;
    expect(await worker.show(id)).toMatchObject({ phase: 'waiting', throttle: 'off', verification: { equal: true } });
    await cancelReplay(pipeline.operator, id);
    expect((await worker.outcome(id)).phase).toBe('cancelled');
    await expect(pauseReplay(pipeline.operator, id)).rejects.toMatchObject({
      refusal: { code: 'ended', id, phase: 'cancelled' },
    });
    expect(await orphanTables(pipeline)).toEqual([]);
    expect(await pipeline.rows('SELECT FROM replay_chunk')).toEqual([]);
  });
});

describeWithPostgres('a replay of a list of positions', () => {
  /** Opens a pipeline with a single projection, stores the records and applies them. */
  async function openWith(projection: Projection, records: object[]): Promise<Pipeline> {
    const pipeline = untilTestEnds(await openPipeline([projection]));
    await deliver(pipeline.ingest, records);
    await projectAll(pipeline, [projection]);
    return pipeline;
  }

  /**
   * `running` runs the replay of the projection `listed`. When the replay has caught up with the live generation, but
   * has not yet locked it, that generation advances to the head. Returns the head's position.
   */
  async function runBeside({ ingest, owner }: Pipeline, running: () => Promise<void>, records: object[]) {
    const { headPosition } = await deliver(ingest, records);
    const moveLive = `INSERT INTO listed_1 SELECT generate_series(checkpoint + 1, ${headPosition})
        FROM generation WHERE live;
      UPDATE generation SET checkpoint = ${headPosition} WHERE live`;
    await whileLocked(owner, moveLive, 1, running);
    return headPosition;
  }

  it('halts at a stored event that cannot be applied, names it, and continues after a fix', async () => {
    const { projection, breakAt, mend } = positionsProjection('listed');
    const pipeline = await openWith(projection, history(1, 20));
    breakAt(13, new Error('planted'));
    const worker = replaysOf(pipeline, [projection]);
    const id = await worker.startAndRun({ projection: 'listed' });
    const halted = await worker.show(id);
    expect(halted).toMatchObject({ phase: 'filling', halted: 'failed' });
    expect(halted.error).toMatch(/position 13 \(fleet .*, driver .*, trip .*, from trips\/0 offset .*\): planted/);
    expect((await worker.outcome(id)).halted).toBe('failed');
    mend();
    await resumeReplay(pipeline.operator, id);
    expect(await worker.outcome(id)).toMatchObject({ phase: 'waiting', error: null, verification: { equal: true } });
  });

  it('names the stored event that cannot be applied, even if transient errors interrupt the search for it', async () => {
    const { projection, breakAt } = positionsProjection('listed');
    const pipeline = await openWith(projection, history(1, 20));
    breakAt(18, new Error('planted'));
    const interrupted: string[] = [];
    // The fill runs the chunk from 10 to 20 as a whole. Only the search for the failing stored event runs parts of it.
    const searched = watchedChunks(projection, async ({ after, through }) => {
      const part = `${after} to ${through}`;
      if (after < 10 || through > 20 || through - after === 10 || interrupted.includes(part)) return;
      interrupted.push(part);
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    const worker = replaysOf(pipeline, [searched]);
    const id = await worker.start({ projection: 'listed' });
    await worker.run(id, { workers: 1 });
    expect((await worker.show(id)).error).toMatch(/position 18 \(.*\): planted/);
    expect(interrupted).toEqual(['10 to 15', '15 to 17', '17 to 18']);
  });

  it('reports the failure of the worker that failed first, even if another worker also fails later', async () => {
    const { projection } = positionsProjection('listed');
    const pipeline = await openWith(projection, history(1, 20));
    const firstFailed = Promise.withResolvers<void>();
    let begun = 0;
    const broken = withStages(projection, (stage) => ({
      ...stage,
      // When a chunk has failed, the replay reads this property just before it stops the other worker.
      get byPosition() {
        firstFailed.resolve();
        return false;
      },
      run: async () => {
        begun += 1;
        if (begun > 1) throw new Error('failed first');
        // Until now, only the first worker has been running.
        await throttleReplay(pipeline.operator, id, 'off');
        await firstFailed.promise;
        await immediate();
        throw new Error('failed late');
      },
    }));
    const worker = replaysOf(pipeline, [broken]);
    const id = await worker.start({ projection: 'listed', throttle: 1_000_000 });
    expect(await worker.outcome(id)).toMatchObject({
      halted: 'failed',
      error: 'Projection listed cannot finish its rows after 10, up to and including 20: failed first',
    });
  });

  it('applies the last events before the comparison without a throttle, because the projector is waiting', async () => {
    const { projection } = positionsProjection('listed');
    const pipeline = await openWith(projection, history(1, 4));
    const worker = replaysOf(pipeline, [projection]);
    // After 300 stored events, this throttle makes the replay pause for a minute.
    const id = await worker.start({ projection: 'listed', throttle: 5 });
    const late = upTo(300).map((revision) => driverProfile({ revision }));
    const running = runBeside(pipeline, async () => await worker.run(id), late);
    await expect.poll(() => pipeline.rows('SELECT FROM generation WHERE checkpoint > 300')).toHaveLength(2);
    const projector = await pipeline.owner.connect();
    try {
      await projector.query("BEGIN; SET LOCAL lock_timeout = '30s'");
      const { rowCount } = await projector.query('SELECT FROM generation WHERE live FOR UPDATE');
      expect(rowCount).toBe(1);
    } finally {
      projector.release(true);
      await throttleReplay(pipeline.operator, id, 'off');
      await running;
    }
    expect(await worker.show(id)).toMatchObject({ phase: 'waiting', verification: { equal: true } });
  });

  it('exchanges generations at different positions, as after a release with a new projection', async () => {
    const [one, newer] = [positionsProjection('one'), positionsProjection('one', 2)];
    const added = positionsProjection('added');
    const pipeline = await openWith(one.projection, history(1, 10));
    const present = [newer.projection, added.projection];
    await prepareGenerations(pipeline.projector, present);
    const worker = replaysOf(pipeline, present);
    const id = await worker.start({ projection: 'all', promote: true });
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', verification: { equal: true } });
    await projectAll(pipeline, present);
    const { rows } = await pipeline.api.query(
      'SELECT (SELECT count(*) FROM one) AS one, (SELECT count(*) FROM added) AS added',
    );
    const head = await readHeadPosition(pipeline.ingest);
    expect(rows).toEqual([{ one: head, added: head }]);
  });

  it('halts at a stored event that its fold cannot apply during the promotion, and names it', async () => {
    const { projection, breakAt, mend } = positionsProjection('listed');
    const pipeline = await openWith(projection, history(1, 4));
    const worker = replaysOf(pipeline, [projection]);
    const id = await worker.startAndRun({ projection: 'listed' });
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    breakAt(7, new Error('planted'));
    const head = await runBeside(pipeline, async () => await worker.run(id), history(10, 14));
    expect(await worker.show(id)).toMatchObject({
      phase: 'promoting',
      halted: 'failed',
      error: expect.stringMatching(/position 7: planted \(fleet .*, driver .*, trip .*, from trips\/0 offset 6\)/),
    });
    mend();
    await resumeReplay(pipeline.operator, id);
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', error: null, position: head });
  });
});
