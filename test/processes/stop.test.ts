import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ROOT } from '../support/milepost.ts';

/** Runs a program whose work never ends. Resolves with its output, its exit code and the signal that killed it. */
async function run(program: string) {
  const code = `
    import { mock } from 'node:test';
    import { stopSignal } from '@milepost/service/stop';
    import { processSignal } from './apps/cli/process.ts';
    const forever = setInterval(() => {}, 1_000);
    const sendSignal = () => process.kill(process.pid, 'SIGTERM');
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('The output of the program is a pipe.');
  const [output, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { output, exitCode, signal };
}

it('a process that does not end within 25 seconds after a signal exits with code 1', async () => {
  const ended = await run(`
    mock.timers.enable({ apis: ['setTimeout'] });
    stopSignal().addEventListener('abort', () => {
      mock.timers.tick(24_999);
      process.stdout.write('still working');
      mock.timers.tick(1);
      process.kill(process.pid, 'SIGKILL');
    });
    sendSignal();`);
  expect(ended).toEqual({ output: 'still working', exitCode: 1, signal: null });
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('a process stops gracefully when it receives %s', async (name) => {
  const ended = await run(`
    stopSignal().addEventListener('abort', ({ target }) => {
      process.stdout.write(target.reason.message, () => process.exit(0));
    });
    process.kill(process.pid, '${name}');`);
  expect(ended).toEqual({ output: `Stopped by ${name}.`, exitCode: 0, signal: null });
});

it('a second signal ends a process with code 1, but a signal within a second counts as the same one', async () => {
  const { output, ...end } = await run(`
    let abortedAt;
    stopSignal().addEventListener('abort', () => { abortedAt = performance.now(); });
    process.on('exit', () => process.stdout.write(String(performance.now() - abortedAt)));
    setInterval(sendSignal, 50);`);
  expect(end).toEqual({ exitCode: 1, signal: null });
  expect(Number(output)).toBeGreaterThan(999);
});

it('a process that is stopping finishes its work even if its parent ends in the meantime', async () => {
  const ended = await run(`
    processSignal().addEventListener('abort', () => setTimeout(() => {
      process.disconnect();
      setTimeout(() => process.stdout.write('finished', () => process.exit(0)), 500);
    }, 1_100));
    sendSignal();`);
  expect(ended).toEqual({ output: 'finished', exitCode: 0, signal: null });
});

it('a process stops when its parent ends', async () => {
  const ended = await run(`
    processSignal().addEventListener('abort', () => process.stdout.write('stopping', () => process.exit(0)));
    process.disconnect();`);
  expect(ended).toEqual({ output: 'stopping', exitCode: 0, signal: null });
});
