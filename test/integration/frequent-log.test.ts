import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs code in a process with a logger for frequent lines, which writes them to stderr. */
function logIn(code: string) {
  const program = `
    import { createFrequentLogger } from './packages/platform/service/frequent-log.ts';
    const logger = createFrequentLogger('test', 'info');
    ${code}`;
  const parameters = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, parameters, { cwd: ROOT, stdio: ['pipe', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it.each(['', 'process.exit();'])(
  'a buffered log is complete and in order after the process exits (%j)',
  async (end) => {
    // The lines fill the buffer several times, and the last lines fill only part of it.
    const log = await text(
      logIn(`for (let line = 0; line < 501; line += 1) logger.info({ line }, 'request');${end}`).stderr,
    );
    const lines = log.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 501 }, (_, line) => line));
  },
);

it('a buffered log gets each line while the process keeps running, even after an earlier write', async () => {
  const child = logIn("process.stdin.on('data', (text) => logger.info(String(text)));");
  for (const message of ['first', 'second', 'third']) {
    child.stdin.write(message);
    const [line] = await Promise.race([once(child.stderr, 'data'), delay(60_000, ['{}'], { ref: false })]);
    expect(JSON.parse(String(line))).toMatchObject({ process: 'test', message });
  }
  expect(child.exitCode).toBeNull();
});
