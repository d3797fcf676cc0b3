import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compile } from '../support/compiler.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { ROOT } from './sources.ts';

/** Returns the lines of a program that the compiler rejects with this repository's settings. */
async function refusedLines(program: string): Promise<number[]> {
  const { path } = untilTestEnds(await openFolder());
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
  writeFileSync(join(path, 'program.mts'), program);
  const messages = await compile(path, { compilerOptions, files: ['program.mts'], include: [] });
  return [...messages.matchAll(/program\.mts\((\d+),/g)].map(([, line]) => Number(line));
}

it('the compiler refuses a pool or a connection as a transaction', async () => {
  const program = `import type { Pool, Transaction } from '${ROOT}/packages/platform/postgres/index.ts';
declare function write(transaction: Transaction): void;
export function test(transaction: Transaction, pool: Pool, connection: ConstructorParameters<typeof Transaction>[0]) {
  write(transaction);
  write(pool);
  write(connection);
}`;
  expect(await refusedLines(program)).toEqual([5, 6]);
});
