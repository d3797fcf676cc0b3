import { beforeAll, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { perSuite } from '../support/fixtures.ts';
import { ended, expectSuccess, milepost, start } from '../support/milepost.ts';
import { deliverAndProject, openPipeline } from '../support/pipeline.ts';
import { numberedTrips } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** Moves the cursor to the first column and clears the line. */
const CLEAR = '\u001b[1G\u001b[2K';

describeWithPostgres('the progress of a replay on a terminal', () => {
  const pipeline = perSuite(openPipeline);
  beforeAll(async () => void (await deliverAndProject(pipeline, numberedTrips(2))));

  /** Runs a command on a terminal of this width. Returns the exit code, and the output with simple line breaks. */
  async function onTerminal(columns: number, ...words: string[]) {
    const quoted = milepost(words).map((word) => `'${word}'`);
    const command = `stty cols ${columns} && ${quoted.join(' ')}`;
    const settings = { DATABASE_URL: pipeline.url, NO_COLOR: '1' };
    const child = start(['script', '--quiet', '--return', '--command', command, '/dev/null'], settings);
    child.stdin?.end();
    const { code, stdout } = await ended(child);
    return { code, output: stdout.replaceAll('\r\n', '\n') };
  }

  const replay = async (...words: string[]) =>
    expectSuccess(await run(['replay', ...words], { DATABASE_URL: pipeline.url }));

  it('is one line that fits the terminal, and is cleared before the sentence about the state', async () => {
    await replay('start', 'trips');
    await replay('pause', '1');
    const sentence =
      'milepost: Replay 1 of trips is paused while filling. Next: `milepost replay resume 1`, `milepost replay throttle 1 THROTTLE`, `milepost replay cancel 1`.\n';
    const wide = await onTerminal(200, 'replay', 'watch', '1');
    expect(wide).toEqual({
      code: 1,
      output: `${CLEAR}Replay 1 paused while filling ${'░'.repeat(24)} 0%, position 0 of 2, throttle auto${CLEAR}${sentence}`,
    });
    const narrow = await onTerminal(40, 'replay', 'watch', '1');
    expect(narrow.output).toBe(`${CLEAR}Replay 1 paused while filling 0%${CLEAR}${sentence}`);
  });
});
