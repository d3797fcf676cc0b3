import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const FAULTS = 43;

const rows = Array.from(
  readFileSync(join(ROOT, 'docs/faults.md'), 'utf8').matchAll(/^\| (\d*) \| [^|\n]+ \| `([^`\n]+)`: (.+) \|$/gm),
  ([, number = '', file = '', title = '']) => ({ number, file, title }),
);

it('docs/faults.md lists each fault once, in order', () => {
  const numbers = rows.flatMap(({ number }) => (number === '' ? [] : [Number(number)]));
  expect(numbers).toEqual(Array.from({ length: FAULTS }, (_, index) => index + 1));
});

it.each(rows)('docs/faults.md names a test that exists: $file: $title', ({ file, title }) => {
  expect(existsSync(join(ROOT, file)), file).toBe(true);
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(text.includes(title), `${file} has no test "${title}"`).toBe(true);
});
