import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { environment, ROOT } from '../support/milepost.ts';
import { needs } from '../support/programs.ts';
import { checkOut } from '../support/readme/check-out.ts';
import { Shell } from '../support/readme/shell.ts';

/** Matches a block of commands, or a file's path and the file that the page shows below it. */
const STEP = /`([^`\n]+)`:\n\n```ts\n(.*?)^```$|^```sh\n(.*?)\n```$/gms;

const page = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');
const steps = Array.from(page.matchAll(STEP), ([, file, code = '', command = '']) => ({
  step: file ?? command,
  file,
  code,
}));

describe('docs/tutorial.md', needs('git'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-tutorial-'));
  let shell: Shell;

  beforeAll(() => {
    checkOut(folder);
    execFileSync('git', ['init', '--quiet', folder]);
    // The page starts a Vitest of its own, which must not get the variables of this one.
    const own = Object.entries(environment({})).filter(([name]) => !name.startsWith('VITEST'));
    shell = new Shell(folder, Object.fromEntries(own));
  });
  afterAll(async () => {
    await shell?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(steps)('leads to a read table and an endpoint: $step', async ({ step, file, code }) => {
    if (file === undefined) return void (await shell.run(step));
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  });
});
