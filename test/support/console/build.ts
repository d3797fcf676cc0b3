import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['apps/console/{explore,operate,shared}/**/*', 'apps/console/*.ts', 'packages/domain/**/*.ts'];
const BUILT = ['explore', 'operate'].map((bundle) => `apps/console/dist/${bundle}/index.html`);

/** A folder that is there while somebody builds: to make one succeeds once. */
const TURN = join(ROOT, 'node_modules/.cache/console-build');
/** Whoever has left it for so long is gone. */
const LONGEST_MILLISECONDS = 180_000;
const POLL_MILLISECONDS = 200;

const timeOf = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isOld(): boolean {
  const built = Math.min(...BUILT.map(timeOf));
  return globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules'] }).some((file) => timeOf(file) > built);
}

/** Whether it is our turn to build; whoever finds that it is not asks again later. */
function takeTurn(): boolean {
  const since = statSync(TURN, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Date.now() - since > LONGEST_MILLISECONDS) rmSync(TURN, { recursive: true, force: true });
  mkdirSync(join(TURN, '..'), { recursive: true });
  try {
    mkdirSync(TURN);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the pages anew when a source is newer than they are, so that no test looks at pages of yesterday. Of two runs of tests
 * at once, one builds and the other waits.
 */
export async function buildConsole(): Promise<void> {
  while (isOld()) {
    if (!takeTurn()) {
      await delay(POLL_MILLISECONDS);
      continue;
    }
    try {
      if (!isOld()) return;
      execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
      return;
    } finally {
      rmSync(TURN, { recursive: true, force: true });
    }
  }
}
