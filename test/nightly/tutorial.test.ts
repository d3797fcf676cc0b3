import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { openFolder, perSuite } from '../support/fixtures.ts';
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
  const folder = perSuite(openFolder);
  const shell = perSuite(async () => {
    checkOut(folder.path);
    execFileSync('git', ['init', '--quiet', folder.path]);
    // The page starts a Vitest of its own, which must not get the variables of this one.
    const own = Object.entries(environment({})).filter(([name]) => !name.startsWith('VITEST'));
    return new Shell(folder.path, Object.fromEntries(own));
  });

  it.each(steps)('leads to a read table and an endpoint: $step', async ({ step, file, code }) => {
    if (file === undefined) return void (await shell.run(step));
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), code);
  });
});
