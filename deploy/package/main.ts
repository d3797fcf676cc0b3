// Builds Milepost's registry package in `dist`, and that of its client in `dist-client`
// (`npm publish ./dist && npm publish ./dist-client`).
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { writeClient } from './client.ts';
import { packageManifest } from './manifest.ts';
import { billOfMaterials } from './sbom.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TARGET = join(ROOT, 'dist');

/** The command, and the entry file of a worker thread, which no module imports. */
const ENTRIES = ['apps/cli/milepost.js', 'apps/ingest/records/reading-thread.ts'];

/** Files that the package reads at run time, and the documents. */
const FILES = [
  'packages/platform/postgres/migrations/*/*.sql',
  'apps/console/dist/**/*.*',
  'docs/**/*.*',
  '{README,ARCHITECTURE,CONTRIBUTING,CHANGELOG,SECURITY}.md',
  'LICENSE',
];

const isOurs = (module: string): boolean => /^(\.|\/|@milepost\/)/.test(module);

// Node does not strip types under node_modules, so each module is compiled to JavaScript at the path of its source.
const sources = await rolldown({
  cwd: ROOT,
  platform: 'node',
  input: Object.fromEntries(ENTRIES.map((file) => [file.replace(/\.[jt]s$/, ''), file])),
  external: (module) => !isOurs(module),
  treeshake: false,
});
await sources.write({
  dir: TARGET,
  cleanDir: true,
  preserveModules: true,
  preserveModulesRoot: ROOT,
  entryFileNames: '[name].js',
});
for (const file of globSync(FILES, { cwd: ROOT })) {
  mkdirSync(dirname(join(TARGET, file)), { recursive: true });
  cpSync(join(ROOT, file), join(TARGET, file));
}
const manifests = globSync(['package.json', '{apps/*,packages/client,packages/*/*}/package.json'], { cwd: ROOT });
const texts = manifests.map((file) => readFileSync(join(ROOT, file), 'utf8'));
writeFileSync(join(TARGET, 'package.json'), `${JSON.stringify(packageManifest(texts), null, 2)}\n`);
writeFileSync(join(TARGET, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(ROOT), null, 2)}\n`);
writeClient(ROOT, join(ROOT, 'dist-client'));
