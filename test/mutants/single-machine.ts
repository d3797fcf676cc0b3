import type { Mutant } from './support/mutant.ts';

const EMBEDDED_POSTGRES = ['test/integration/embedded-postgres.test.ts'];
const DIRT = ['packages/sample-fleet/dirt.test.ts'];

/** Mutants of what `milepost up` starts: the embedded PostgreSQL and the sample fleet. */
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
  {
    name: 'A deletion has the revision of the trip.',
    file: 'packages/sample-fleet/dirt.ts',
    find: 'source_trip_id: plan.sourceTripId,\n    revision: plan.revision + 1,',
    replace: 'source_trip_id: plan.sourceTripId,\n    revision: plan.revision,',
    tests: DIRT,
  },
  {
    name: 'A deletion goes to the partition of another trip.',
    file: 'packages/sample-fleet/dirt.ts',
    find: "return { topic: 'trips', key: keyOf(plan), value: JSON.stringify(record) };",
    replace: "return { topic: 'trips', key: plan.sourceTripId, value: JSON.stringify(record) };",
    tests: DIRT,
  },
  {
    name: 'The second start of Milepost replaces the lock of the first one.',
    file: 'packages/embedded-postgres/new-file.ts',
    find: "import { link, rm, writeFile } from 'node:fs/promises';",
    replace: "import { rename as link, rm, writeFile } from 'node:fs/promises';",
    tests: ['test/integration/new-file.test.ts'],
  },
  {
    name: 'A port is refused although it is in use on another address only.',
    file: 'apps/cli/up/address.ts',
    find: 'server.listen({ host, port });',
    replace: 'server.listen({ port });',
    tests: ['test/integration/up-port.test.ts'],
  },
  {
    name: 'The load of the sample fleet is not repeated after it has failed.',
    file: 'apps/cli/up/sample-fleet.ts',
    find: 'await loadFiles(withPool, [file], signal);',
    replace: 'await loadFiles(withPool, [file], signal).catch(async (error) => { await rm(file); throw error; });',
    tests: ['test/integration/operations/sample-fleet.test.ts'],
  },
  {
    name: 'The end of the parent sends another signal to a process that is stopping.',
    file: 'apps/cli/process.ts',
    find: 'if (!signal.aborted) process.kill',
    replace: 'process.kill',
    tests: ['test/integration/stop.test.ts'],
    only: 'finishes its work although its parent ends',
  },
  {
    name: 'A wrong setting of a process ends the start as a failure.',
    file: 'apps/cli/up/children.ts',
    find: 'exitCode === EXIT_CODES.wrongUsage',
    replace: 'exitCode !== EXIT_CODES.wrongUsage',
    tests: ['test/system/children.test.ts'],
    only: 'wrong setting',
  },
  {
    name: 'A process that up stops is reported as an unexpected end.',
    file: 'apps/cli/up/children.ts',
    find: '() => stopping || onEnd',
    replace: '() => onEnd',
    tests: ['test/system/children.test.ts'],
    only: 'killed process',
  },
  {
    name: 'The doctor accepts a standby whose replay a reader can delay for five seconds.',
    file: 'apps/cli/doctor/postgres.ts',
    find: 'replay_delay_milliseconds < MAX_DELAY_MILLISECONDS',
    replace: 'replay_delay_milliseconds <= MAX_DELAY_MILLISECONDS',
    tests: ['test/system/doctor-findings.test.ts'],
    only: 'recognizes the standby',
  },
  {
    name: 'The doctor judges one record too many.',
    file: 'apps/cli/doctor/kafka.ts',
    find: 'const first = end - BigInt(SAMPLED_RECORDS);',
    replace: 'const first = end - BigInt(SAMPLED_RECORDS + 1);',
    tests: ['test/system/doctor-findings.test.ts'],
    only: 'judges the last ten records',
  },
  {
    name: 'The doctor fails for the lowest number of open files that works.',
    file: 'apps/cli/doctor/machine.ts',
    find: 'files < MIN_FILES ?',
    replace: 'files <= MIN_FILES ?',
    tests: ['test/system/doctor-findings.test.ts'],
    only: 'judges a limit of',
  },
];
