import type { Mutant } from './support/mutant.ts';

const INGEST = ['test/simulation/ingest/ingest.test.ts'];
const REPLAY = ['test/simulation/replay/replay.test.ts'];

/** Faults in the order of the steps of a protocol, which only some interleavings show. */
export const PROTOCOLS: readonly Mutant[] = [
  {
    name: 'A batch of a replaced claim is committed.',
    file: 'packages/event-log/append.ts',
    find: '    if (fenced) {',
    replace: '    if (fenced && batches.length > 1) {',
    tests: INGEST,
  },
  {
    name: 'A fence does not refuse to skip the records of a fleet.',
    file: 'packages/event-log/store-records.ts',
    find: 'isCopy ? NO_FLEETS : fleetsOf(records), passed)',
    replace: 'isCopy ? NO_FLEETS : fleetsOf(records), NO_FLEETS)',
    tests: INGEST,
  },
  {
    name: 'A move does not wait until the lane of the fleet has read what the new lane has skipped.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: '  await untilOffsetsReach(from.pool(ROLES.operator), to.pool(ROLES.operator), signal);\n',
    replace: '',
    tests: INGEST,
  },
  {
    name: 'An earlier process of a move switches the fleet.',
    file: 'packages/fleet-move/state.ts',
    find: 'if (marked + switched !== 2)',
    replace: 'if (marked + switched === 0)',
    tests: INGEST,
  },
  {
    name: 'The lane of a fleet holds its records until the new lane of a killed move answers.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: 'current === from.number ? [from, to] : [to, from]',
    replace: '[to, from]',
    tests: ['test/faults/fleet-move.test.ts'],
  },
  {
    name: 'A move that loses a read ahead ends its process.',
    file: 'packages/fleet-move/copy.ts',
    find: '    reading.catch(() => {});\n',
    replace: '',
    tests: INGEST,
  },
  {
    name: 'A worker that has lost its lease ends a phase.',
    file: 'packages/replay/lease.ts',
    find: '  await holdReplay(transaction, replay, epoch);\n',
    replace: '',
    tests: REPLAY,
  },
  {
    name: 'A cancelled replay keeps its tables.',
    file: 'packages/replay/steps/discard.ts',
    find: '    await dropTables(transaction, projections, replay);\n',
    replace: '',
    tests: REPLAY,
  },
  {
    name: 'A worker that has lost its lease marks a table as indexed.',
    file: 'packages/replay/steps/index-tables.ts',
    find: '    await holdReplay(transaction, replay, epoch);\n',
    replace: '',
    tests: REPLAY,
  },
  {
    name: 'A replay is cancelled after its promotion.',
    file: 'packages/replay/control.ts',
    find: "    refuseEnded(replay, 'cancel');\n",
    replace: '',
    tests: REPLAY,
  },
  {
    name: 'A replay that ends keeps its projections.',
    file: 'packages/replay/lease.ts',
    find: '  await transaction.execute(RELEASE_MEMBERS, [replay.id]);\n',
    replace: '',
    tests: REPLAY,
  },
  {
    name: 'A lane counts only the last batch of the records that it skips.',
    file: 'apps/ingest/kafka/source.ts',
    find: 'elsewhere: (before?.elsewhere ?? 0) + others.length',
    replace: 'elsewhere: others.length',
    tests: INGEST,
  },
  {
    name: 'A fence sees only the last batch of the records that its lane skips.',
    file: 'apps/ingest/kafka/source.ts',
    find: '.union(before?.passed ?? new Set<string>())',
    replace: '',
    tests: INGEST,
  },
  {
    name: 'A verification does not ask for the connection of its snapshot.',
    file: 'packages/replay/steps/align.ts',
    find: "await unprepared(snapshot, {}, 'SELECT');",
    replace: '',
    tests: REPLAY,
  },
];
