import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Every import of a source file, as written. */
export function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const statements = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|^import\s*'([^']+)'/gm,
  );
  return [...statements].flatMap(([, named, dynamic, bare]) => named ?? dynamic ?? bare ?? []);
}

/** Imports that exist at run time: types are gone by then. */
export function runtimeImportsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?from\s*'([^']+)'/g);
  return [...statements].flatMap(([, name]) => name ?? []);
}

/** Source files under a folder, without tests and the random inputs (`arbitrary-*.ts`) of tests, relative to the root. */
export function sourcesUnder(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|(^|\/)arbitrary-|node_modules/.test(file),
  );
}

/** The file that an import leads to, relative to the root; null for anything that is not ours. */
export function targetOf(file: string, name: string): string | null {
  if (name.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), name));
  const [, packageName, subpath] = /^@milepost\/([^/]+)(\/.*)?$/.exec(name) ?? [];
  if (packageName === undefined) return null;
  const folder = [`packages/${packageName}`, `apps/${packageName}`].find((candidate) =>
    existsSync(join(ROOT, candidate)),
  );
  if (folder === undefined) return null;
  const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return join(folder, exports[`.${subpath ?? ''}`]);
}

/** Every file of ours that running `entry` loads. */
export function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const name of runtimeImportsOf(file)) {
      const target = targetOf(file, name);
      if (target !== null) waiting.push(target);
    }
  }
  return loaded;
}
