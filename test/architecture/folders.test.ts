import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSources } from './sources.ts';

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const [, tree = ''] = text.split('\n## Folders\n');
const named = Array.from(tree.matchAll(/^ {4}((?:apps|packages|deploy|docs|test)\S*) +\S/gm), ([, path = '']) => path);

it('names each folder of apps and packages, two levels deep, once in ARCHITECTURE.md', () => {
  const folders = [...readSources().sources.keys()]
    .filter((file) => /^(apps|packages)\//.test(file))
    .flatMap((file) => {
      const [kind, name, ...rest] = file.split('/');
      return [`${kind}/${name}`, ...(rest.length > 1 ? [`${kind}/${name}/${rest[0]}`] : [])];
    });
  expect(named).toEqual(expect.arrayContaining([...new Set(folders)]));
  expect(named).toEqual([...new Set(named)]);
});

it('names no folder in ARCHITECTURE.md that is not there', () => {
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
