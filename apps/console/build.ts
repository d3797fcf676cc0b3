import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { DIST, MODES } from './bundles.ts';
import { publish } from './publish.ts';

const CONFIG = join(import.meta.dirname, 'vite.config.ts');

for (const mode of MODES) {
  const built = join(DIST, `.${mode}-${process.pid}`);
  try {
    await build({ configFile: CONFIG, mode, build: { outDir: built, emptyOutDir: true } });
    publish(built, join(DIST, mode));
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
