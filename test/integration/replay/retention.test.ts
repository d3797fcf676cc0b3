import { PROJECTIONS } from '@milepost/projections';
import { hasRowsBefore, pauseReplay } from '@milepost/replay';
import { expect, it } from 'vitest';
import { runRetention } from '../../../apps/ops/worker/retention.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { tripProcessed } from '../../support/records.ts';
import { replaysOf } from '../../support/replay.ts';

/** A Monday. */
const CUTOFF = '2025-01-13';
/** Returns the projections from which retention removes rows, all with the given cutoff. */
const retainedFrom = (cutoff: string) =>
  PROJECTIONS.filter(({ keepsFrom }) => keepsFrom).map((projection) => ({ ...projection, keepsFrom: () => cutoff }));
const RETAINED = retainedFrom(CUTOFF);
const NAMES = RETAINED.map(({ name }) => name);
const OPTIONS = { tripRetentionDays: 400, replacedGenerationDays: 7 };

describeWithOwnPipeline('retention', (pipeline) => {
  const retain = async (projections = RETAINED) => await runRetention(pipeline.projector, projections, OPTIONS);

  /** Delivers a trip for each start time and applies the trips. */
  async function projectTrips(...startTimes: number[]): Promise<void> {
    const trips = startTimes.map((time) => tripProcessed({ trip_start_time: time, source_trip_id: `at ${time}` }));
    await deliverAndProject(pipeline, trips);
  }

  /** Starts the replays that are due and runs them until they are promoted. */
  async function removeOldRows(projections = RETAINED): Promise<void> {
    const { started } = await retain(projections);
    // The next run finds the replays that are under way, so it starts none.
    expect((await retain(projections)).started).toEqual([]);
    const worker = replaysOf(pipeline, PROJECTIONS);
    for (const id of started) await worker.run(id);
  }

  /** Expects this many rows in each table. */
  async function expectRows(count: number): Promise<void> {
    const counts = NAMES.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`);
    expect(await pipeline.rows(`SELECT ${counts.join(', ')}`)).toEqual([
      Object.fromEntries(NAMES.map((name) => [name, count])),
    ]);
  }

  it('keeps a trip that starts at midnight on the cutoff date, and removes one that starts 1 ms earlier', async () => {
    const midnight = Date.parse(CUTOFF);
    await projectTrips(midnight - 1, midnight);
    expect(NAMES).toHaveLength(3);
    await expectRows(2);
    await removeOldRows();
    await expectRows(1);
    expect(await pipeline.rows('SELECT trip_start_time FROM trips')).toEqual([{ trip_start_time: midnight }]);
    // The tables are not replayed again until four weeks later. Without this pause, each late trip could cause a
    // replay.
    for (const projection of RETAINED) {
      const isDue = async (cutoff: string) => await hasRowsBefore(pipeline.projector, projection, cutoff);
      expect([await isDue('2025-02-09'), await isDue('2025-02-10')], projection.name).toEqual([false, true]);
    }
  });

  it('removes rows again with a later cutoff, without reporting the rows between the two cutoffs', async () => {
    const later = '2025-03-10';
    await projectTrips(Date.parse(CUTOFF) - 1, Date.parse(CUTOFF), Date.parse(later));
    await removeOldRows();
    await removeOldRows(retainedFrom(later));
    await expectRows(1);
    const replays = await pipeline.rows('SELECT * FROM replay ORDER BY replay_id OFFSET $1', NAMES.length);
    expect(replays).toMatchObject(
      NAMES.map(() => ({ phase: 'promoted', error: null, verification: { cutoff: later, differences: 0 } })),
    );
  });

  it('removes old rows again after a rollback has restored them', async () => {
    await projectTrips(Date.parse(CUTOFF) - 1, Date.parse(CUTOFF));
    await removeOldRows();
    const worker = replaysOf(pipeline, PROJECTIONS);
    for (const projection of NAMES) {
      await worker.run(await worker.startRollBack(projection));
    }
    await expectRows(2);
    await removeOldRows();
    await expectRows(1);
  });

  it('drops replaced generations after the configured number of days, and not an hour earlier', async () => {
    await projectTrips(Date.parse(CUTOFF) - 1);
    await removeOldRows();
    const retired = async (hours: number) =>
      await pipeline.owner.query(
        `UPDATE generation SET retired_at = now() - interval '${hours} hours' WHERE retired_at IS NOT NULL;
         UPDATE replay SET finished_at = now() - interval '${hours} hours' WHERE finished_at IS NOT NULL`,
      );
    await retired(7 * 24 - 1);
    expect(await retain()).toEqual({ started: [], dropping: [] });
    await retired(7 * 24 + 1);
    expect((await retain()).dropping).toHaveLength(NAMES.length);
  });

  it('fails if a replay cannot be started for a reason other than a refusal', async () => {
    await projectTrips(Date.parse(CUTOFF) - 1);
    await pipeline.owner.query("ALTER TABLE replay ADD CONSTRAINT planted CHECK (requested_by <> 'retention')");
    await expect(retain()).rejects.toMatchObject({ constraint: 'planted' });
  });

  it.each(NAMES)('removes old rows from the other tables while a replay of %s is paused', async (paused) => {
    const worker = replaysOf(pipeline, PROJECTIONS);
    await projectTrips(Date.parse(CUTOFF) - 1);
    const id = await worker.start({ projection: paused });
    await pauseReplay(pipeline.operator, id);
    const { started } = await retain();
    const projections = await Promise.all(started.map(async (each) => (await worker.show(each)).projection));
    expect(projections).toEqual(NAMES.filter((name) => name !== paused));
  });

  it('leaves a read table with an earlier version to the operator, and replays the other read tables', async () => {
    await projectTrips(Date.parse(CUTOFF) - 1);
    const [outdated, ...current] = RETAINED;
    if (!outdated) throw new Error('No projection has a retention.');
    await retain([{ ...outdated, version: outdated.version + 1 }, ...current]);
    const members = await pipeline.rows('SELECT projection FROM replay_member ORDER BY 1');
    expect(members.map(({ projection }) => projection)).toEqual(current.map(({ name }) => name).sort());
  });
});
