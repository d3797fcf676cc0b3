import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../test/architecture/sources.ts';

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
  dev?: boolean;
  link?: boolean;
}

it('every dependency of the package and the image has an allowed licence', () => {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  expect(installed.length).toBeGreaterThan(100);
  const others = installed.filter(([, { license = 'none' }]) => !ALLOWED.has(license));
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
});
