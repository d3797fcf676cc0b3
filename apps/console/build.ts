import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { DIST, MODES } from './bundles.ts';

const CONFIG = join(import.meta.dirname, 'vite.config.ts');

/**
 * Replaces a bundle so that a browser loads either the old or the new one at any time. It first adds the new assets,
 * whose names change with their content. Then it replaces the page, and removes the old assets.
 */
function publish(built: string, target: string): void {
  mkdirSync(join(target, 'assets'), { recursive: true });
  const assets = readdirSync(join(built, 'assets'));
  for (const asset of assets) renameSync(join(built, 'assets', asset), join(target, 'assets', asset));
  renameSync(join(built, 'index.html'), join(target, 'index.html'));
  for (const asset of readdirSync(join(target, 'assets'))) {
    if (!assets.includes(asset)) rmSync(join(target, 'assets', asset), { force: true });
  }
}

for (const mode of MODES) {
  const built = join(DIST, `.${mode}-${process.pid}`);
  try {
    await build({ configFile: CONFIG, mode, build: { outDir: built, emptyOutDir: true } });
    publish(built, join(DIST, mode));
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
