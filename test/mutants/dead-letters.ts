import type { Mutant } from './support/mutant.ts';

const OPS_LETTERS = ['test/integration/ops/dead-letters.test.ts'];
const FOUND_LETTERS = ['test/integration/operations/dead-letters.test.ts'];

/** Mutants of dead letters and of traces of records. */
export const DEAD_LETTERS: readonly Mutant[] = [
  {
    name: 'A filter by field also selects fields that start with the same letters.',
    file: 'packages/dead-letters/letters.ts',
    find: 'field}/`})',
    replace: 'field}`})',
    tests: FOUND_LETTERS,
  },
  {
    name: 'The end of a time filter is inclusive.',
    file: 'packages/dead-letters/letters.ts',
    find: "deadLetter('letter.received_at', '<', new Date(until))",
    replace: "deadLetter('letter.received_at', '<=', new Date(until))",
    tests: FOUND_LETTERS,
  },
  {
    name: 'Dead letters of the same field in different array entries are different groups.',
    file: 'packages/dead-letters/letters.ts',
    find: "'/[0-9]+(?=/|$)', '/*', 'g'",
    replace: "'/[0-9]+$', '/*', 'g'",
    tests: OPS_LETTERS,
  },
  {
    name: 'A trip counts on the day of another driver.',
    file: 'packages/lineage/traces.ts',
    find: 'row.driver_id === driverId &&',
    replace: '',
    tests: ['test/integration/operations/lineage.test.ts'],
  },
  {
    name: 'A trace calls its dead letters complete unless it exceeds both of its limits.',
    file: 'packages/lineage/dead-letters.ts',
    find: 'candidates.length <= MAX_DEAD_LETTERS && !others?.more',
    replace: 'candidates.length <= MAX_DEAD_LETTERS || !others?.more',
    tests: ['test/integration/operations/lineage.test.ts'],
    only: 'with many dead letters',
  },
  {
    name: 'A trace calls the dead letters of a day complete, however many trips the day has.',
    file: 'packages/lineage/traces.ts',
    find: 'if (sourceTripIds.length > MAX_SEARCHED_TRIPS &&',
    replace: 'if (sourceTripIds.length > MAX_EVENTS &&',
    tests: ['test/integration/operations/lineage.test.ts'],
    only: 'searches dead letters for 50 trips',
  },
  {
    name: 'A trace calls the stored events of a trip complete, however many there are.',
    file: 'packages/lineage/traces.ts',
    find: "cut: rows.length > MAX_EVENTS ? ['stored_events'] : [],",
    replace: 'cut: [],',
    tests: ['test/integration/operations/lineage.test.ts'],
    only: 'shows 5,000 stored events',
  },
  {
    name: 'A trace calls the profiles of a driver complete, however many there are.',
    file: 'packages/lineage/traces.ts',
    find: "...(profileRows.length > MAX_EVENTS ? ['profile_events'] : []),",
    replace: '',
    tests: ['test/integration/operations/lineage.test.ts'],
    only: 'shows 5,000 stored events',
  },
  {
    name: 'A retry of all dead letters skips one letter for each duplicate.',
    file: 'packages/operations/definitions/dead-letters.ts',
    find: "results.filter(({ outcome }) => outcome === 'refused').length;",
    replace: "results.filter(({ outcome }) => outcome !== 'stored').length;",
    tests: OPS_LETTERS,
    only: 'are all retried, and only those that remain open',
  },
  {
    name: 'A moving fleet ends the retry of all dead letters.',
    file: 'packages/event-log/retry-dead-letters.ts',
    find: 'if (!(error instanceof FleetFencedError)) throw error;',
    replace: 'throw error;',
    tests: FOUND_LETTERS,
  },
  {
    name: 'Dead letters with the same offset share one result.',
    file: 'packages/event-log/retry-dead-letters.ts',
    find: 'part.at(-1)?.source_offset === deadLetter.source_offset',
    replace: 'part.length > MAX_DEAD_LETTERS',
    tests: FOUND_LETTERS,
  },
  {
    name: 'A day given to --since or --until starts at midnight of the local time zone.',
    file: 'apps/cli/operate/dead-letters.ts',
    find: 'T00:00:00Z`',
    replace: 'T00:00:00`',
    tests: ['apps/cli/operate/dead-letters.test.ts'],
  },
  {
    name: 'A filter by partition 0 selects the dead letters of all partitions.',
    file: 'packages/dead-letters/letters.ts',
    find: '...(partition === undefined ? [] :',
    replace: '...(!partition ? [] :',
    tests: ['test/integration/operations/dead-letters.test.ts'],
  },
  {
    name: 'A command that settles all dead letters also settles those that arrive in the meantime.',
    file: 'apps/cli/operate/dead-letters.ts',
    find: 'total ??= done + previous.left;',
    replace: 'total = done + previous.left;',
    tests: ['apps/cli/operate/dead-letters.test.ts'],
  },
];
