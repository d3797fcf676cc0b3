import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['apps/console/{explore,operate,shared}/**/*', 'apps/console/*.ts', 'packages/domain/**/*.ts'];
const BUILT = ['explore', 'operate'].map((bundle) => `apps/console/dist/${bundle}/index.html`);

/** Builds the pages anew when a source is newer than they are, so that no test looks at pages of yesterday. */
export function buildConsole(): void {
  const timeOf = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const built = Math.min(...BUILT.map(timeOf));
  const isNewer = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules'] }).some((file) => timeOf(file) > built);
  if (isNewer) execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
