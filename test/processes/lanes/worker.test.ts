import { expect, it } from 'vitest';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { fillLane } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { startWorker } from '../../support/worker.ts';

describeWithPostgres('the worker of several lanes', () => {
  const world = perTest(() => LaneWorld.create(3));
  const countIn = async (sql: string) => await world.inEachLane(`SELECT count(*) FROM ${sql}`);

  it('runs scheduled jobs in all lanes, and a requested job only in its own lane', async () => {
    for (const { number } of world.lanes) {
      const fleet_id = `fleet-${number}`;
      await world.place(fleet_id, number);
      await fillLane(world.url, number, [tripProcessed({ fleet_id })]);
    }
    await world.owners[2]?.query("UPDATE job SET requested = true, audit_id = 72 WHERE kind = 'audit'");
    untilTestEnds(startWorker(world.url, 1));
    // The trips are older than retention allows.
    const replays = async () => await countIn("replay WHERE requested_by = 'retention' AND projection = 'trips'");
    await expect.poll(replays).toEqual([1, 1, 1]);
    await expect.poll(async () => await countIn('audit')).toEqual([1, 1, 1]);
    expect(await countIn('audit WHERE audit_id = 72')).toEqual([0, 0, 1]);
    await expect.poll(async () => await countIn("replay WHERE phase = 'promoted'")).toEqual([3, 3, 3]);
  });
});
