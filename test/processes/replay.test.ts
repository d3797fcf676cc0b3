import { once } from 'node:events';
import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { type Ended, ended, expectSuccess, milepost, type Settings, start } from '../support/milepost.ts';
import { deliverAndProject, openPipeline } from '../support/pipeline.ts';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { numberedTrips } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const TRIPS = 200;
/** Retention removes earlier trips from the rollups by running its own replays. */
const trip_start_time = Date.now() - MILLISECONDS_PER_DAY;
/** How long a state may take to appear. Each poll has to run a command. */
const SOON = { timeout: 40_000, interval: 100 };
/** Moves the cursor to the first column and clears the line. */
const CLEAR = '\u001b[1G\u001b[2K';

describeWithPostgres('milepost replay', () => {
  const pipeline = perSuite(openPipeline);
  let settings: Settings;
  let ops: RunningProcess | undefined;

  const replay = async (...words: string[]): Promise<Ended> => await run(['replay', ...words], settings);

  async function json(...words: string[]): Promise<Record<string, unknown>> {
    const result = await replay(...words, '--json');
    expectSuccess(result);
    return JSON.parse(result.stdout);
  }

  beforeAll(async () => {
    settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn', OPS_PORT: '0', OPS_TOKEN: 'secret' };
    await deliverAndProject(pipeline, numberedTrips(TRIPS, { trip_start_time, trip_end_time: trip_start_time }));
  });
  afterAll(async () => void (await ops?.stop()));

  it.each([
    ['an unknown projection', ['start', 'no-such'], 'There is no projection no-such'],
    ['an invalid throttle', ['start', 'all', '--throttle', 'fast'], 'trips per second'],
    ['an invalid id', ['show', 'seven'], 'whole number'],
  ])('refuses %s in one sentence', async (_what, words, message) => {
    const result = await replay(...words);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it('returns the running replay, reports a missing worker, and continues after Ctrl-C', async () => {
    expect(await replay('list')).toMatchObject({ code: 0, stderr: 'No replays.\n' });
    expect(await replay('start', 'all', '--promote')).toMatchObject({ code: 0, stdout: '1\n' });
    const again = await replay('start', 'all', '--promote');
    expect(again).toMatchObject({ code: 0, stdout: '1\n', stderr: expect.stringContaining('was already running') });

    const watching = untilTestEnds(startProcess(['replay', 'watch', '1'], settings));
    await expect.poll(watching.output).toContain('`milepost ops`');
    const closed = once(watching.child, 'close');
    watching.child.kill('SIGINT');
    expect(await closed).toEqual([1, null]);
    expect(watching.output().trimEnd().split('\n')).toEqual([
      `Replay 1: filling, position 0 of ${TRIPS}`,
      expect.stringContaining('there seems to be no ops process'),
      expect.stringContaining('Replay 1 continues: `milepost replay watch 1`'),
    ]);
    expect(await json('show', '1')).toMatchObject({ phase: 'filling', halted: null, running: false });
  });

  it('shows its progress on a terminal in one line that fits, which it clears before the final sentence', async () => {
    /** Runs a command on a terminal of this width. Returns the exit code, and the output with simple line breaks. */
    const onTerminal = async (columns: number, ...words: string[]) => {
      const quoted = milepost(words).map((word) => `'${word}'`);
      const command = `stty cols ${columns} && ${quoted.join(' ')}`;
      const shell = ['script', '--quiet', '--return', '--command', command, '/dev/null'] as const;
      const child = start([...shell], { ...settings, NO_COLOR: '1' });
      child.stdin?.end();
      const { code, stdout } = await ended(child);
      return { code, output: stdout.replaceAll('\r\n', '\n') };
    };
    expect(await json('pause', '1')).toMatchObject({ halted: 'paused' });
    const sentence =
      'milepost: Replay 1 of all projections is paused while filling. Next: `milepost replay resume 1`, `milepost replay throttle 1 THROTTLE`, `milepost replay cancel 1`.\n';
    const bar = `Replay 1 paused while filling ${'░'.repeat(24)} 0%, position 0 of ${TRIPS}, throttle auto`;
    expect(await onTerminal(200, 'replay', 'watch', '1')).toEqual({ code: 1, output: CLEAR + bar + CLEAR + sentence });
    const { output } = await onTerminal(40, 'replay', 'watch', '1');
    expect(output).toBe(`${CLEAR}Replay 1 paused while filling 0%${CLEAR}${sentence}`);
  });

  it('prints one line per phase to a pipe until its promotion, and rolls back', async () => {
    ops = startProcess(['ops'], settings);
    const watched = await replay('resume', '1', '--wait');
    expect(watched).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Replay 1: live\n') });
    expect(watched.stderr).not.toContain('\u001b');
    expect(await json('show', '1')).toMatchObject({ phase: 'promoted', verification: { equal: true, differences: 0 } });
    expect((await replay('show', '1')).stdout).toContain('Replay 1 of all projections: live');
    const back = await replay('rollback', 'trips', '--wait');
    expect(back).toMatchObject({
      code: 0,
      stdout: '2\n',
      stderr: expect.stringMatching(/^Generations: trips: 2 -> 1\.\n/),
    });
    expect((await replay('list')).stdout).toMatch(/\n +2 +trips +rolled back, live .*\n +1 +all +replaced /);
    const { stderr } = await replay('drop', '2', '--wait');
    expect(stderr).toContain('Rollback 2 of trips can no longer be rolled back.\n');
  });

  it('pauses, throttles, resumes and cancels, and a waiting command reports the cancellation', async () => {
    const waited = ended(start(milepost(['replay', 'start', 'all', '--throttle', '1', '--wait']), settings));
    const isRunning = async () => (await replay('show', '3', '--json')).stdout.includes('"running": true');
    await expect.poll(isRunning, SOON).toBe(true);
    const watching = ended(start(milepost(['replay', 'watch', '3']), settings));
    expect(await json('pause', '3')).toMatchObject({ halted: 'paused' });
    expect(await waited).toMatchObject({ code: 1, stdout: '3\n', stderr: expect.stringContaining('paused') });
    expect((await watching).code).toBe(1);
    await expect.poll(isRunning, SOON).toBe(false);

    expect(await json('throttle', '3', '2')).toMatchObject({ throttle: 2, halted: 'paused' });
    const resumed = ended(start(milepost(['replay', 'resume', '3', '--wait']), settings));
    await expect.poll(isRunning, SOON).toBe(true);
    expect(await json('cancel', '3', '--wait')).toMatchObject({ phase: 'cancelled' });
    expect(await resumed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is cancelled') });
    expect((await replay('resume', '3')).code).toBe(1);
  });
});
