import { expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../apps/cli/failure.ts';
import { startChildren } from '../../apps/cli/up/children.ts';
import { runningChildren } from '../support/up-home.ts';

/** No server listens at this address, so the processes wait for it. */
const SETTINGS = {
  ...process.env,
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'info',
};

type Names = Parameters<typeof startChildren>[0];

/** The processes that run, without those that other tests have started. */
const running = async () => (await runningChildren()).filter(({ name }) => name === 'api' || name === 'projector');

/** Starts processes. Collects what they report and what they print on stderr. */
function startAndListen(names: Names, environmentOf: Parameters<typeof startChildren>[1], isWatched = false) {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const errors: Error[] = [];
  const children = startChildren(names, environmentOf, isWatched, (error) => errors.push(error));
  onTestFinished(async () => {
    for (const { pid } of await running()) process.kill(pid, 'SIGKILL');
    await children.stop();
    written.mockRestore();
  });
  return { ...children, errors, said: () => written.mock.calls.map(([chunk]) => String(chunk)).join('') };
}

it('a process with a wrong setting ends the start with a usage error that contains its sentence once', async () => {
  const { errors, said } = startAndListen(['api'], () => ({ ...SETTINGS, PORT: 'eighty' }));
  await expect.poll(() => errors).toHaveLength(1);
  expect(errors[0]).toBeInstanceOf(UsageError);
  expect(errors[0]?.message).toMatch(
    /^The api process exited unexpectedly, with exit code 2: PORT must be a whole number .* but is "eighty"\.$/,
  );
  expect(said()).not.toContain('eighty');
});

it('a process that fails while its code is being watched prints the reason', async () => {
  const { said } = startAndListen(['api'], () => ({ ...SETTINGS, PORT: 'eighty' }), true);
  await expect.poll(said).toContain('PORT must be a whole number from 0 to 65535, but is "eighty".');
});

it.runIf(process.platform === 'linux')(
  'a killed process is reported with its name and signal, but the other processes continue until they are stopped',
  async () => {
    const { errors, said, stop } = startAndListen(['projector', 'api'], (name) => ({
      ...SETTINGS,
      LOG_LEVEL: name === 'api' ? 'info' : 'warn',
    }));
    // Each process gets its own settings, and each of its log lines is passed on unchanged.
    await expect.poll(said).toMatch(/^\{"level":"warn",.*"process":"projector".*\}\n/m);
    await expect.poll(said).toMatch(/^\{"level":"info",.*"process":"api",.*"The API is listening at .*\}\n/m);
    expect(said()).not.toMatch(/"level":"info".*"process":"projector"/);
    const [api, projector] = await running();
    expect([api?.name, projector?.name]).toEqual(['api', 'projector']);
    process.kill(projector?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => errors.map(String)).toEqual(['Error: The projector process was killed by SIGKILL.']);
    expect(errors[0]).not.toBeInstanceOf(UsageError);
    expect(await running()).toEqual([api]);
    const stopped = stop();
    await expect.poll(running).toEqual([]);
    await stopped;
    expect(errors).toHaveLength(1);
  },
);
