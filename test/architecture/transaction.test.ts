import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

/** Returns the lines of a program that the compiler rejects with this repository's settings. */
function refusedLines(program: string): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-types-'));
  try {
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
    const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files: ['program.mts'], include: [] };
    writeFileSync(join(folder, 'program.mts'), program);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--project', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    return [...stdout.matchAll(/program\.mts\((\d+),/g)].map(([, line]) => Number(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('the compiler refuses a pool or a connection as a transaction', () => {
  const program = `import type { Pool, Transaction } from '${ROOT}/packages/platform/postgres/index.ts';
declare function write(transaction: Transaction): void;
export function test(transaction: Transaction, pool: Pool, connection: ConstructorParameters<typeof Transaction>[0]) {
  write(transaction);
  write(pool);
  write(connection);
}`;
  expect(refusedLines(program)).toEqual([5, 6]);
});
