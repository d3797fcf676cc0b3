import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { ROLES } from '@milepost/postgres';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { run } from '../../support/command.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { expectSuccess } from '../../support/milepost.ts';
import { deliver, openPartPool, projectAll } from '../../support/pipeline.ts';
import { Processes } from '../../support/processes.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** Retention removes earlier trips from the rollups, for which it runs its own replays. */
const trip_start_time = Date.now() - MILLISECONDS_PER_DAY;

describeWithPostgres('a replay in several lanes', () => {
  let world: LaneWorld;
  beforeEach(async () => {
    world = await LaneWorld.create(3);
    for (const lane of world.lanes) {
      const fleet_id = `fleet-${lane.number}`;
      await world.place(fleet_id, lane.number);
      const [ingest, projector] = [openPartPool(lane, ROLES.ingest), openPartPool(lane, ROLES.projector)];
      await deliver(ingest, [tripProcessed({ fleet_id, trip_start_time })]);
      await projectAll({ projector });
      await Promise.all([ingest.end(), projector.end()]);
    }
  });
  afterEach(async () => await world?.close());

  const command = async (...words: string[]) => await run(words, { DATABASE_URL: world.url });

  it('is awaited in all of them, and ends with one error for the lane whose tables differ unexpectedly', async () => {
    const processes = new Processes({ DATABASE_URL: world.url, OPS_PORT: '0' });
    onTestFinished(async () => await processes.end());
    processes.start('ops');
    await world.owner(1).query('DELETE FROM trips');
    const { code, stdout, stderr } = await command('replay', 'start', 'all', '--promote', '--wait');
    expect(stdout).toMatch(/^lane +id\n( +\d +\d+\n){3}$/);
    const ids = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/ +/));
    expect(ids.map(([lane]) => lane)).toEqual(['0', '1', '2']);
    const [, waiting] = ids[1] ?? [];
    const states = stderr.split('\n').filter((line) => / of all projections is /.test(line));
    expect(states).toEqual([
      expect.stringMatching(/^Lane 0: Replay \d+ of all projections is live\./),
      expect.stringMatching(
        /^Lane 2: Replay \d+ of all projections is live\..* `milepost replay rollback all --lane 2`/,
      ),
      expect.stringMatching(
        /^milepost: Lane 1: Replay \d+ of all projections is waiting to be promoted \(1 row differs, which no version change explains\): Not promoted/,
      ),
    ]);
    expect(code).toBe(1);
    expect(states[2]).toContain(`\`milepost replay promote ${waiting} --accept-differences --lane 1\``);
    expectSuccess(await command('replay', 'promote', waiting ?? '', '--accept-differences', '--wait', '--lane', '1'));
    expect((await world.owner(1).query('SELECT count(*) FROM trips')).rows).toEqual([{ count: 1 }]);
  });
});
