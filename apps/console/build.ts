import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { DIST, MODES } from './bundles.ts';

const CONFIG = join(import.meta.dirname, 'vite.config.ts');

/**
 * Puts a whole bundle in the place of another. The page comes after its assets, whose names change with their content, and
 * before the old ones go: whoever reads meanwhile finds one bundle or the other.
 */
function publish(built: string, place: string): void {
  mkdirSync(join(place, 'assets'), { recursive: true });
  const assets = readdirSync(join(built, 'assets'));
  for (const asset of assets) renameSync(join(built, 'assets', asset), join(place, 'assets', asset));
  renameSync(join(built, 'index.html'), join(place, 'index.html'));
  for (const asset of readdirSync(join(place, 'assets'))) {
    if (!assets.includes(asset)) rmSync(join(place, 'assets', asset), { force: true });
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
