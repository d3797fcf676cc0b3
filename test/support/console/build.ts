import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = [
  'apps/console/{explore,operate,shared}/**/*',
  'apps/console/*.ts',
  'packages/{client,core/domain}/**/*.ts',
];
const BUILT = ['explore', 'operate'].map((bundle) => `apps/console/dist/${bundle}/index.html`);

/** The lock for a build is a directory, because only one process can create it. */
const LOCK = join(ROOT, 'node_modules/.cache/console-build');
/** A build whose lock is this old has died. */
const MAX_MILLISECONDS = 180_000;
const POLL_MILLISECONDS = 200;

const timeOf = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isOld(): boolean {
  const built = Math.min(...BUILT.map(timeOf));
  return globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules'] }).some((file) => timeOf(file) > built);
}

/** Takes the lock. Returns false if another build holds it, so that the caller can try again later. */
function tryLock(): boolean {
  const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Date.now() - since > MAX_MILLISECONDS) rmSync(LOCK, { recursive: true, force: true });
  mkdirSync(join(LOCK, '..'), { recursive: true });
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Rebuilds the pages if a source is newer, so that no test uses outdated pages. If two test runs need the pages at the
 * same time, one builds them and the other waits.
 */
export async function buildConsole(): Promise<void> {
  while (isOld()) {
    if (!tryLock()) {
      await delay(POLL_MILLISECONDS);
      continue;
    }
    try {
      if (!isOld()) return;
      execFileSync('npm', ['run', 'build', '--silent', '--workspace', '@milepost/console'], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return;
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
}
