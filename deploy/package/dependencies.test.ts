import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../test/architecture/sources.ts';
import { billOfMaterials } from './sbom.ts';

/** Licences that allow distribution together with Apache-2.0 code and set no conditions for that code. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  '(MIT OR CC0-1.0)',
]);

interface Locked {
  license?: string;
  version?: string;
  dev?: boolean;
  link?: boolean;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

it('every dependency of the package and the image has an allowed licence', () => {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  expect(installed.length).toBeGreaterThan(100);
  const others = installed.filter(([, { license = 'none' }]) => !ALLOWED.has(license));
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
});

it('the bill of materials lists each dependency of the package, and no development dependency', () => {
  const installed = Object.entries(lock.packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, locked]) => ({ ...locked, name: `${path.split('node_modules/').at(-1)}@${locked.version}` }))
    .filter(({ link }) => !link);
  const { components, dependencies, metadata } = billOfMaterials(ROOT);
  const names = components.map((component) => component['bom-ref']);
  const production = new Set(installed.filter(({ dev }) => !dev).map(({ name }) => name));
  expect(new Set(names.filter((name) => !name.startsWith('@milepost/')))).toEqual(production);
  expect(production).toContain(names.find((name) => name.startsWith('pg@')));
  expect(metadata.component.name).toBe('milepost');
  const known = new Set([metadata.component['bom-ref'], ...names]);
  for (const { ref, dependsOn } of dependencies) for (const each of [ref, ...dependsOn]) expect(known).toContain(each);
});
