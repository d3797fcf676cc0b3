import { expect, it } from 'vitest';
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

it('depends on what all workspaces depend on, except on each other and on what only the build needs', () => {
  expect(manifestOf(a, top, b)).toMatchObject({
    name: 'top',
    version: '1.2.3',
    license: 'L',
    dependencies: { ajv: '^8.1.0', node: '24.0.0', pg: '^8.0.0' },
  });
});

it('is for everybody, and no workspace of its own', () => {
  expect(Object.keys(manifestOf({ ...top, private: true }, a, b))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(private|workspaces|devDependencies)$/)]),
  );
});

it.each([
  ['versions', { ...b, version: '1.2.4' }, '@top/b has version 1.2.4, and top has 1.2.3.'],
  [
    'ranges of a dependency',
    { ...b, dependencies: { pg: '^7.0.0' } },
    '@top/b asks for pg ^7.0.0, and another manifest for ^8.0.0.',
  ],
])('refuses two %s', (_, other, sentence) => {
  expect(() => manifestOf(top, a, other)).toThrow(sentence);
});
