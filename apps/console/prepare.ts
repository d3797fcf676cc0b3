import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, MODES } from './bundles.ts';

/** What `npm ci` and `npm install` end with. An install without development dependencies lacks what builds pages. */
function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

// By its script, which says that it is for production, whatever the install is for.
if (canBuild()) execFileSync('npm', ['run', 'build'], { cwd: import.meta.dirname, stdio: 'inherit' });
else {
  const isBuilt = MODES.every((mode) => existsSync(join(DIST, mode, 'index.html')));
  process.stderr.write(
    isBuilt
      ? 'Vite is not installed: the pages in apps/console/dist stay as they were built before.\n'
      : 'Vite is not installed, so the pages of Explore and Operate are not built. All else works without them.\n' +
          'For the pages, run npm ci with development dependencies, or copy apps/console/dist from such an install.\n',
  );
}
