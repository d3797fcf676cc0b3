import { once } from 'node:events';
import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { type Ended, ended, milepost, type Settings, start } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const TRIPS = 200;
/** Retention removes earlier trips from the rollups by running its own replays. */
const trip_start_time = Date.now() - MILLISECONDS_PER_DAY;
/** How long a state may take to appear. Each poll has to run a command. */
const SOON = { timeout: 40_000, interval: 100 };

interface View {
  id: number;
  running: boolean;
}

describeWithPostgres('milepost replay', () => {
  const database = perSuite(createTestDatabase);
  const owner = perSuite(async () => openPool(database.url));
  let settings: Settings;
  const processes: RunningProcess[] = [];

  async function replay(...words: string[]): Promise<Ended> {
    return await run(['replay', ...words], settings);
  }

  async function json<Result = View>(...words: string[]): Promise<Result> {
    const result = await replay(...words, '--json');
    expect(result.code, result.stderr).toBe(0);
    return JSON.parse(result.stdout);
  }

  async function started(...words: string[]): Promise<string> {
    const result = await replay('start', ...words);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    return result.stdout.trim();
  }

  async function status(): Promise<{ replays: View[]; projections: { name: string; failure: string | null }[] }> {
    return JSON.parse((await run(['status', '--json'], settings)).stdout);
  }

  beforeAll(async () => {
    settings = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', OPS_PORT: '0', OPS_TOKEN: 'secret' };
    expect((await run(['migrate'], settings)).code).toBe(0);
    processes.push(startProcess(['projector'], settings));
    const records = Array.from({ length: TRIPS }, (_, index) =>
      tripProcessed({ source_trip_id: `trip-${index}`, driver_id: `driver-${index % 7}`, trip_start_time }),
    );
    expect((await run(['ingest', '-', '--wait'], settings, toNdjson(records))).code).toBe(0);
  });

  afterAll(async () => void (await Promise.all(processes.map((running) => running.stop()))));

  it.each([
    ['an unknown projection', ['start', 'no-such'], 2, 'There is no projection no-such'],
    ['a projection that was merged', ['start', 'drivers,trail_paths'], 2, 'or all; trips now includes trail_paths.'],
    ['an invalid throttle', ['start', 'all', '--throttle', 'fast'], 2, 'trips per second'],
    ['an invalid id', ['show', 'seven'], 2, 'whole number'],
    ['an unknown id', ['show', '4711'], 1, 'There is no replay 4711'],
    ['nothing to roll back to', ['rollback', 'all'], 1, 'There is nothing to roll'],
  ])('refuses %s in one sentence', async (_what, words, code, message) => {
    const result = await replay(...words);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it('returns the running replay, reports a missing worker, and continues after Ctrl-C', async () => {
    expect(await replay('list')).toMatchObject({ code: 0, stderr: 'No replays.\n' });
    const id = await started('all', '--promote');
    const again = await replay('start', 'all', '--promote');
    expect(again).toMatchObject({ code: 0, stdout: `${id}\n`, stderr: expect.stringContaining('was already running') });
    expect(await replay('start', 'trips')).toMatchObject({ code: 1, stderr: expect.stringContaining(`Replay ${id}`) });
    expect((await status()).replays).toMatchObject([{ id: Number(id), projection: 'all', phase: 'filling' }]);

    const watching = untilTestEnds(startProcess(['replay', 'watch', id], settings));
    await expect.poll(watching.output).toContain('`milepost ops`');
    const closed = once(watching.child, 'close');
    watching.child.kill('SIGINT');
    expect(await closed).toEqual([1, null]);
    const lines = watching.output().trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`Replay ${id}: filling, position 0 of ${TRIPS}`);
    expect(lines[1]).toContain('there seems to be no ops process');
    expect(lines[2]).toContain(`Replay ${id} continues: \`milepost replay watch ${id}\``);
    expect(await json('show', id)).toMatchObject({ phase: 'filling', halted: null, running: false });
  });

  it('prints one line per phase to a pipe until its promotion', async () => {
    processes.push(startProcess(['ops'], settings));
    const [{ id } = { id: 0 }] = await json<View[]>('list');
    const watched = await replay('watch', String(id));
    expect(watched).toMatchObject({ code: 0, stdout: '' });
    expect(watched.stderr).toContain(`Replay ${id}: live\n`);
    expect(watched.stderr).not.toContain('\u001b');
    expect(await json('show', String(id))).toMatchObject({
      projection: 'all',
      phase: 'promoted',
      position: TRIPS,
      target: TRIPS,
      throttle: 'auto',
      verification: { equal: true, differences: 0 },
      error: null,
    });
    expect((await replay('show', String(id))).stdout).toContain(`Replay ${id} of all projections: live`);
    expect((await replay('list')).stdout).toMatch(new RegExp(`\\n +${id} +all +live +`));
    expect((await status()).replays).toEqual([]);
  });

  it('pauses, throttles, resumes and cancels, and a waiting command reports the cancellation', async () => {
    const waiting = start(milepost(['replay', 'start', 'all', '--throttle', '1', '--wait']), settings);
    const waited = ended(waiting);
    let id = '';
    await expect
      .poll(async () => {
        const [replayed] = (await status()).replays;
        id = String(replayed?.id);
        return replayed?.running;
      }, SOON)
      .toBe(true);
    const watching = ended(start(milepost(['replay', 'watch', id]), settings));
    expect(await json('pause', id)).toMatchObject({ halted: 'paused' });
    expect(await waited).toMatchObject({ code: 1, stdout: `${id}\n`, stderr: expect.stringContaining('paused') });
    expect((await watching).code).toBe(1);
    await expect.poll(async () => (await json('show', id)).running, SOON).toBe(false);

    expect(await json('throttle', id, '2')).toMatchObject({ throttle: 2, halted: 'paused' });
    const resumed = ended(start(milepost(['replay', 'resume', id, '--wait']), settings));
    await expect.poll(async () => (await json('show', id)).running, SOON).toBe(true);
    expect(await json('cancel', id, '--wait')).toMatchObject({ phase: 'cancelled' });
    expect(await resumed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is cancelled') });
    expect((await replay('resume', id)).code).toBe(1);
  });

  it('changes the throttle of a running replay, waits for the operator, and drops the replay', async () => {
    const id = await started('all', '--throttle', '1');
    await expect.poll(async () => (await json('show', id)).running, SOON).toBe(true);
    expect((await replay('throttle', id, '1000000')).code).toBe(0);
    expect(await json('watch', id)).toMatchObject({ phase: 'waiting', throttle: 1_000_000 });
    expect(await json('drop', id, '--wait')).toMatchObject({ phase: 'dropped' });
  });

  it('promotes an unexpected difference only if it is accepted', async () => {
    await owner.query('DELETE FROM trips WHERE trip_id = (SELECT min(trip_id::text)::uuid FROM trips)');
    const refused = await replay('start', 'trips', '--promote', '--wait');
    expect(refused.code).toBe(1);
    const id = refused.stdout.trim();
    expect(refused.stderr).toContain('Not promoted: 1 row');
    expect(await json('show', id)).toMatchObject({ phase: 'waiting', verification: { equal: false, differences: 1 } });
    expect(await replay('show', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`milepost replay promote ${id} --accept-differences`),
    });
    expect(await replay('promote', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('Not promoted') });
    const promoted = await json('promote', id, '--accept-differences', '--wait');
    expect(promoted).toMatchObject({ phase: 'promoted', error: null, can_be_rolled_back: true });
    const { rows } = await owner.query<{ trips: number }>('SELECT count(*) AS trips FROM trips');
    expect(rows).toEqual([{ trips: TRIPS }]);
  });

  it('rolls back, but refuses to after the replaced generations have been dropped', async () => {
    const back = await json('rollback', 'trips', '--wait');
    expect(back).toMatchObject({ kind: 'roll_back', phase: 'promoted' });
    const forth = await replay('rollback', 'trips', '--wait');
    expect(forth).toMatchObject({ code: 0, stdout: `${back.id + 1}\n` });
    expect(forth.stderr).toMatch(/^Generations: trips: \d+ -> \d+\.\n/);
    const listed = (await replay('list')).stdout.split('\n');
    expect(listed[1]).toMatch(/trips +rolled back, live /);
    expect(listed[2]).toMatch(/trips +rolled back, replaced /);
    const dropped = await replay('drop', forth.stdout.trim(), '--wait', '--json');
    expect(dropped.stderr).toContain('can no longer be rolled back');
    expect(JSON.parse(dropped.stdout)).toMatchObject({ phase: 'promoted', can_be_rolled_back: false });
    expect(await replay('rollback', 'trips')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to roll trips back to'),
    });
  });

  it("rebuilds read tables of a different version, as the projector's error message advises", async () => {
    await owner.query(`UPDATE generation SET version = 99 WHERE projection = 'drivers' AND live`);
    expect((await run(['ingest', '-'], settings, toNdjson([tripProcessed({ source_trip_id: 'late' })]))).code).toBe(0);
    const drivers = async () => (await status()).projections.find(({ name }) => name === 'drivers');
    await expect
      .poll(async () => (await drivers())?.failure, SOON)
      .toContain('live at version 99, but this program has version 1');
    expect((await run(['status'], settings)).stdout).toContain('`milepost replay start all --promote` rebuilds');
    const view = await json('start', 'all', '--promote', '--wait', '--throttle', 'off');
    expect(view).toMatchObject({ phase: 'promoted', position: TRIPS });
    await expect.poll(drivers, SOON).toMatchObject({ version: 1, failure: null, checkpoint: TRIPS + 1 });
  });
});
