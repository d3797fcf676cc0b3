import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, MODES } from './bundles.ts';

/** Whether the build tools are installed, which is not the case after `npm ci --omit=dev`. */
function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

// npm runs this script at the end of `npm ci` and `npm install`.
if (canBuild()) execFileSync('npm', ['run', 'build'], { cwd: join(import.meta.dirname, '..', '..'), stdio: 'inherit' });
else {
  const isBuilt = MODES.every((mode) => existsSync(join(DIST, mode, 'index.html')));
  process.stderr.write(
    isBuilt
      ? 'Vite is not installed, so the existing pages in apps/console/dist remain unchanged.\n'
      : 'Vite is not installed, so the pages of Explore and Operate have not been built. Everything else works without them.\n' +
          'To get the pages, run npm ci with development dependencies, or copy apps/console/dist from such an install.\n',
  );
}
