import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

it.each(['lane', 'directory'])('the migrations of the %s are numbered from 1, each number once', (kind) => {
  const files = globSync(`packages/platform/postgres/migrations/${kind}/*_*.sql`, { cwd: ROOT });
  const numbers = files.map((file) => Number(/(\d{4})_[^/]*$/.exec(file)?.[1])).sort((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
