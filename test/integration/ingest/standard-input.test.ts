import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { toNdjson, tripProcessed } from '../../support/records.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RECORD = toNdjson([tripProcessed()]);

/** Runs a program and stops it once it has read part of its input. The next part arrives later. */
async function runStopped(program: string) {
  const code = `
    const stop = new AbortController();
    const { signal } = stop;
    const onProgress = () => {
      process.stdout.write(signal.aborted ? 'read on, ' : 'read, ');
      stop.abort(new Error('stopped'));
    };
    ${program}.catch(({ message }) => process.stdout.write(message));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A stopped program closes its input.
  child.stdin.on('error', () => {});
  child.stdin.write(RECORD);
  child.stdout.once('data', () => child.stdin.end(RECORD));
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { output, exitCode };
}

it.each([
  [
    'validates',
    `import { validateFile } from '@milepost/ingest/validate-file';
     await validateFile({ file: '-', signal, onProgress })`,
  ],
  [
    'ingests',
    `import { ingestFiles } from '@milepost/ingest/files';
     await ingestFiles({ lanes: { pools: new Map() }, files: ['-'], signal, onProgress })`,
  ],
])('a program that %s standard input stops without more input', async (_what, program) => {
  expect(await runStopped(program)).toEqual({ output: 'read, stopped', exitCode: 0 });
});
