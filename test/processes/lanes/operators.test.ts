import { join } from 'node:path';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { ROLES } from '@milepost/postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { run } from '../../support/command.ts';
import { openFolder, perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { expectSuccess } from '../../support/milepost.ts';
import { deliver, fillLane } from '../../support/pipeline.ts';
import { Processes } from '../../support/processes.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** Retention removes earlier trips from the rollups by running its own replays. */
const trip_start_time = Date.now() - MILLISECONDS_PER_DAY;

describeWithPostgres('operators of several lanes', () => {
  const world = perSuite(() => LaneWorld.create(3));
  const processes = perSuite(
    async () => new Processes({ DATABASE_URL: world.url, OPS_PORT: '0', AUDIT_INTERVAL_MINUTES: '1' }),
  );

  beforeAll(async () => {
    for (const { number } of world.lanes) {
      const fleet_id = `fleet-${number}`;
      await world.place(fleet_id, number);
      await fillLane(world.url, number, [driverProfile({ fleet_id }), tripProcessed({ fleet_id, trip_start_time })]);
    }
  });

  const command = async (...words: string[]) => await run(words, { DATABASE_URL: world.url });
  const store = async (number: number, ...records: (object | string)[]) =>
    await deliver(world.pool(number, ROLES.ingest), records);

  it('see in which lane a projection is stopped or a source has a fault, and the command for that lane', async () => {
    await world.owner(1).query("UPDATE generation SET failure = 'It is old.' WHERE live AND projection = 'trips'");
    await world
      .owner(2)
      .query("UPDATE log_source SET stopped = true, fault = 'It was lost.', fault_at = '2025-01-31Z'");
    const { code, stdout } = await command('status');
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => /is stopped| since /.test(line))).toEqual([
      'trips is stopped in lane 1. It is old. `milepost replay start all --promote --lane 1` rebuilds its read table.',
      'trips/0 in lane 2 since 2025-01-31T00:00:00.000Z: It was lost. To resume it, run `milepost sources accept trips/0 --from beginning --lane 2` (or pass an offset instead of `beginning`).',
    ]);
    await world.owner(1).query('UPDATE generation SET failure = NULL');
    await world.owner(2).query('UPDATE log_source SET stopped = false, fault = NULL, fault_at = NULL');
    expect((await command('status')).stdout).not.toMatch(/is stopped| since /);
  });

  it("see sums over the lanes in the status, with each lane's figures, or only those of the named lane", async () => {
    const { stdout } = await command('status');
    expect(stdout).toMatch(/^head position 6,/);
    expect(stdout).toMatch(/lane +name +head position .*\n +0 +milepost +2 .*\n +1 +milepost_lane_1 +2 /);
    const named = (await command('status', '--lane', '1')).stdout;
    expect(named).toMatch(/^head position 2,/);
    expect(named).not.toContain('milepost_lane_1');
  });

  it('export a fleet from its lane, although its former lane still has a copy', async () => {
    await fillLane(world.url, 0, [tripProcessed({ fleet_id: 'fleet-1', driver_id: 'former', trip_start_time })]);
    const days = `--from ${dateOf(trip_start_time)} --to ${dateOf(trip_start_time)}`;
    const exported = await command(...`export trips --fleet fleet-1 ${days} --format ndjson`.split(' '));
    expectSuccess(exported);
    const rows = exported.stdout.trim().split('\n');
    expect(rows.map((row) => JSON.parse(row).driver_id)).toEqual(['driver-1']);
  });

  it('archive and audit the lane that they name', async () => {
    const file = join(untilTestEnds(await openFolder()).path, 'log.ndjson.zst');
    const exported = await command('archive', 'export', file, '--lane', '1', '--json');
    expect(JSON.parse(exported.stdout)).toMatchObject({ from: 1, through: 2 });
    expectSuccess(await command('archive', 'verify', file, '--lane', '1'));
    expect(await command('archive', 'verify', file)).toMatchObject({ code: 1 });
    const count = async () => await world.inEachLane<number>('SELECT count(*) FROM audit WHERE seconds >= 0');
    const [zero, one = 0, two] = await count();
    expectSuccess(await command('audit', '--lane', '1', '--projection', 'trips'));
    expect(await count()).toEqual([zero, one + 1, two]);
  });

  it("also erase the last records' hashes in the first lane, because a hash would confirm a guess", async () => {
    const { fleet_id: _, ...nameless } = driverProfile({ driver_id: 'driver-10' });
    await store(0, nameless);
    const hash = Buffer.from('hash');
    for (const owner of world.owners)
      await owner.query('UPDATE log_source SET last_offset = 1, last_timestamp = 1, last_hash = $1', [hash]);
    const hashes = async () => {
      const [first, , own] = await world.inEachLane('SELECT max(last_hash) FROM log_source');
      return [first, own];
    };
    expect(await hashes()).toEqual([hash, hash]);
    expectSuccess(
      await command(...'drivers erase --fleet fleet-2 --driver driver-10 --reason case-812 --yes'.split(' ')),
    );
    expect(await hashes()).toEqual([null, null]);
  });

  it("cannot store a dead letter's record in a lane to which its fleet does not belong", async () => {
    await store(0, '{misplaced', '{unplaced', '{own');
    const records = ['fleet-2', 'fleet-new', 'fleet-0'].map((fleet_id) =>
      JSON.stringify(driverProfile({ fleet_id, driver_id: 'late' })),
    );
    const { rows } = await world.owner(0).query(
      `WITH newest AS (SELECT dead_letter_id, row_number() OVER (ORDER BY dead_letter_id) AS turn FROM dead_letter
         WHERE resolution IS NULL)
       UPDATE dead_letter SET raw = convert_to(($1::text[])[turn], 'UTF8') FROM newest
       WHERE newest.dead_letter_id = dead_letter.dead_letter_id RETURNING dead_letter.dead_letter_id AS id`,
      [records],
    );
    const { stdout } = await command('dead-letters', 'retry', '--all-open', '--json');
    const [first, second, third] = rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
    const remedy = 'publish it again, or ingest it as a file.';
    expect(JSON.parse(stdout)).toEqual([
      {
        id: first,
        outcome: 'refused',
        message: `The record is about fleet fleet-2, which is in lane 2: ${remedy}`,
      },
      {
        id: second,
        outcome: 'refused',
        message: `The record is about fleet fleet-new, which has no lane yet: ${remedy}`,
      },
      { id: third, outcome: 'stored', message: null },
    ]);
  });

  it("read a dead letter's record in the lane that they name", async () => {
    for (const number of [1, 2]) await store(number, `{lane ${number}`);
    for (const number of ['1', '2']) {
      const shown = await command('dead-letters', 'show', '1', '--raw', '--lane', number);
      expect(shown).toEqual({ code: 0, stdout: `{lane ${number}`, stderr: '' });
    }
  });

  it('get one sentence for a lane that does not exist', async () => {
    const sentence = 'milepost: There is no lane 7: the database has lanes 0 to 2.\n';
    for (const words of ['status', 'archive export log.ndjson.zst', 'archive verify log.ndjson.zst', 'audit']) {
      const outcome = await command(...words.split(' '), '--lane', '7');
      expect(outcome, words).toEqual({ code: 2, stdout: '', stderr: sentence });
    }
  });

  describe('with an ops process', () => {
    let isStarted = false;
    beforeEach(() => {
      if (!isStarted) processes.start('ops');
      isStarted = true;
    });

    it("replay all lanes' read tables with one throttle", async () => {
      const started = await command('replay', 'start', 'all', '--promote', '--throttle', '9000', '--json');
      expect(started).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Lane 2: Replay 1 of all projections'),
      });
      const views: object[] = JSON.parse(started.stdout);
      expect(views).toMatchObject([0, 1, 2].map((lane) => ({ id: 1, lane, projection: 'all', throttle: 3_000 })));
      const phases = async () => await world.inEachLane('SELECT phase FROM replay');
      await expect.poll(phases).toEqual(['promoted', 'promoted', 'promoted']);
      const waited = await command('replay', 'start', 'all', '--wait', '--json');
      expectSuccess(waited);
      expect(JSON.parse(waited.stdout)).toMatchObject([0, 1, 2].map((lane) => ({ id: 2, lane, phase: 'waiting' })));
      for (const lane of ['0', '1', '2']) await command('replay', 'cancel', '2', '--wait', '--lane', lane);
    });

    it('await a replay in all lanes, and get an error for the lane whose tables differ unexpectedly', async () => {
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
      expect(await command('replay', 'promote', waiting ?? '', '--lane', '1')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Not promoted'),
      });
      expectSuccess(await command('replay', 'promote', waiting ?? '', '--accept-differences', '--wait', '--lane', '1'));
      expect((await world.owner(1).query('SELECT count(*) FROM trips')).rows).toEqual([{ count: 1 }]);
    });

    it('get an error if one lane refuses a replay that the other lanes start', async () => {
      expectSuccess(await command('replay', 'start', 'trips', '--lane', '1'));
      const { code, stdout, stderr } = await command('replay', 'start', 'all', '--json');
      const lanes = JSON.parse(stdout).map(({ lane }: { lane: number }) => lane);
      expect({ code, lanes, stderr }).toEqual({
        code: 1,
        lanes: [0, 2],
        stderr: expect.stringMatching(/^milepost: Lane 1: Replay \d+ of trips is /m),
      });
    });

    it('replay a lane that was added while ops was running', async () => {
      await prepareDatabase(world.url, { lanes: 4 });
      expectSuccess(await command('replay', 'start', 'all', '--promote', '--wait', '--lane', '3'));
    });
  });
});
