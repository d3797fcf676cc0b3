import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = [
  'apps/console/{explore,operate,shared}/**/*',
  'apps/console/*.ts',
  'packages/{client,core/domain}/**/*.ts',
];
const BUILT = ['explore', 'operate'].map((bundle) => `apps/console/dist/${bundle}/index.html`);

const timeOf = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isOld(): boolean {
  const built = Math.min(...BUILT.map(timeOf));
  return globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules'] }).some((file) => timeOf(file) > built);
}

/**
 * Rebuilds the pages if a source is newer, so that no test uses outdated pages. Two test runs may build at the same
 * time, because both publish the same files.
 */
export function buildConsole(): void {
  if (!isOld()) return;
  execFileSync('npm', ['run', 'build', '--silent', '--workspace', '@milepost/console'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
