import type { Mutant } from './support/mutant.ts';

const EMBEDDED_POSTGRES = ['test/integration/embedded-postgres.test.ts'];

/** Mutants of what `milepost up` starts: the embedded PostgreSQL. */
export const SINGLE_MACHINE: readonly Mutant[] = [
  {
    name: 'A zombie counts as a running server.',
    file: 'packages/embedded-postgres/process.ts',
    find: '/^[^Z].*postgres/',
    replace: '/postgres/',
    tests: EMBEDDED_POSTGRES,
    only: 'is a zombie',
  },
  {
    name: 'The server of another folder counts as the server of this folder.',
    file: 'packages/embedded-postgres/process.ts',
    find: 'return folder === null || folder === (await realpath(data));',
    replace: 'return folder === null || data.length > 0;',
    tests: EMBEDDED_POSTGRES,
    only: 'now belongs to the server of another folder',
  },
];
