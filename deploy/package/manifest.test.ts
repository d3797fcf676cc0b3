import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../test/architecture/sources.ts';
import { packageManifest } from './manifest.ts';

const top = { name: 'top', version: '1.2.3', license: 'L', workspaces: ['a', 'b'], dependencies: { node: '24.0.0' } };
const a = { name: '@top/a', version: '1.2.3', private: true, dependencies: { '@top/b': '*', pg: '^8.0.0' } };
const b = {
  name: '@top/b',
  version: '1.2.3',
  dependencies: { pg: '^8.0.0', ajv: '^8.1.0' },
  devDependencies: { x: '1' },
};

const manifestOf = (...manifests: object[]) => packageManifest(manifests.map((manifest) => JSON.stringify(manifest)));

it('the manifest lists the dependencies of all workspaces, but no workspaces and no build dependencies', () => {
  expect(manifestOf(a, top, b)).toMatchObject({
    name: 'top',
    version: '1.2.3',
    license: 'L',
    dependencies: { ajv: '^8.1.0', node: '24.0.0', pg: '^8.0.0' },
  });
});

it('the manifest is public and has no workspaces', () => {
  expect(Object.keys(manifestOf({ ...top, private: true }, a, b))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(private|workspaces|devDependencies)$/)]),
  );
});

it.each([
  ['versions', { ...b, version: '1.2.4' }, '@top/b has version 1.2.4, but top has 1.2.3.'],
  [
    'ranges of a dependency',
    { ...b, dependencies: { pg: '^7.0.0' } },
    '@top/b depends on pg ^7.0.0, but another manifest depends on ^8.0.0.',
  ],
])('packageManifest refuses two %s', (_, other, sentence) => {
  expect(() => manifestOf(top, a, other)).toThrow(sentence);
});

it('packageManifest finds one range for each dependency in the manifests of this repository', () => {
  const paths = globSync(['package.json', '{apps/*,packages/client,packages/*/*}/package.json'], { cwd: ROOT });
  const texts = paths.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  expect(packageManifest(texts)).toHaveProperty('dependencies.kafkajs');
});
