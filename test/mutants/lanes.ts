import type { Mutant } from './support/mutant.ts';

const SOURCE = ['test/integration/lanes/fenced-source.test.ts'];
const DIRECTORY = ['test/integration/lanes/directory.test.ts'];
const MOVE = ['test/integration/lanes/failed-moves.test.ts'];
const JOINT = ['test/integration/ingest/joint-appender.test.ts'];

/** Mutants of the lanes of a source, and of a fleet that moves between lanes. */
export const LANES: readonly Mutant[] = [
  {
    name: 'A failed lane is tried again without a delay.',
    file: 'apps/ingest/kafka/source.ts',
    find: '      await delay(milliseconds, undefined, { signal: this.#signal }).catch(() => {});\n',
    replace: '',
    tests: SOURCE,
  },
  {
    name: 'A lane waits no longer after its second failure.',
    file: 'apps/ingest/kafka/source.ts',
    find: 'firstMilliseconds * 2 ** (failures - 1)',
    replace: 'firstMilliseconds',
    tests: SOURCE,
  },
  {
    name: 'After a fence, a heartbeat moves the offset of another lane that has failed.',
    file: 'apps/ingest/kafka/source.ts',
    find: '      this.#claims.clear();\n      this.#pending.clear();\n      throw',
    replace: '      throw',
    tests: SOURCE,
  },
  {
    name: 'An earlier wait ends the absence of a lane.',
    file: 'apps/ingest/kafka/source.ts',
    find: 'this.#missing.get(lane) === wait',
    replace: 'this.#missing.has(lane)',
    tests: SOURCE,
  },
  {
    name: 'A lane that cannot continue at the first check is never checked again.',
    file: 'apps/ingest/kafka/source.ts',
    find: 'if (!isReady || !isMissing()) continue;',
    replace: 'if (!isReady || !isMissing()) return;',
    tests: SOURCE,
  },
  {
    name: 'The fence of one fleet refuses the records of all fleets.',
    file: 'packages/event-log/fences.ts',
    find: '(fleet_id = ANY ($1) AND NOT stores)',
    replace: 'NOT stores',
    tests: JOINT,
  },
  {
    name: 'The fences stay closed after a failed move.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: "  if (step === 'holding') await openFences(running);\n",
    replace: '',
    tests: MOVE,
  },
  {
    name: 'A failed move never ends.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: "  await setStep(directory, move, 'failed', error instanceof Error ? error.message : String(error));\n",
    replace: '',
    tests: MOVE,
  },
  {
    name: 'A move that was interrupted after the switch starts again with the copy.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: "if (move.step === 'switched') {",
    replace: "if (move.step === 'moved') {",
    tests: MOVE,
  },
  {
    name: 'A move that was interrupted after the switch leaves the fences closed.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: '    await openFences(running);\n    const reader',
    replace: '    const reader',
    tests: MOVE,
  },
  {
    name: 'A move ignores the erasures of its new lane.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: 'for (const lane of [from, to]) await refuseErasures',
    replace: 'for (const lane of [from]) await refuseErasures',
    tests: MOVE,
  },
  {
    name: 'A move does not look for erasures again before the switch.',
    file: 'packages/fleet-move/move-fleet.ts',
    find: '  await refuseErasures(from.pool(ROLES.operator), move.fleet_id, from.number);\n',
    replace: '',
    tests: MOVE,
  },
  {
    name: 'The copy of a fleet lacks the rest of each range of positions after its first batch.',
    file: 'packages/archive/copy.ts',
    find: 'through: rows.at(-1)?.position ?? end }',
    replace: 'through: end }',
    tests: ['test/integration/lanes/fleet-move.test.ts'],
    only: 'copied in several batches',
  },
  {
    name: 'No new fleet is placed while one of several lanes does not answer.',
    file: 'apps/ingest/open-lanes.ts',
    find: 'if (results.length === 0) throw',
    replace: 'if (failures.length > 0) throw',
    tests: DIRECTORY,
    only: 'places new fleets in the lanes that answer',
  },
  {
    name: 'A directory that cannot be read stops the work on all lanes.',
    file: 'packages/postgres/lanes/watch.ts',
    find: '.catch(() => lanes);',
    replace: '.catch((): Lane[] => []);',
    tests: DIRECTORY,
    only: 'stops no work on the lanes while it cannot be read',
  },
  {
    name: 'The projector has no metrics while one of its lanes does not answer.',
    file: 'packages/metrics/projector.ts',
    find: 'readProjectionStates).catch(() => [])',
    replace: 'readProjectionStates)',
    tests: ['test/integration/lanes/projector.test.ts'],
    only: 'while the server of one is unavailable',
  },
  {
    name: 'Two moves hold records at the same time.',
    file: 'packages/fleet-move/state.ts',
    find: 'if (other) return other;',
    replace: '',
    tests: ['test/integration/lanes/concurrent-moves.test.ts'],
    only: 'one after the other',
  },
  {
    name: 'Two moves look at the same time whether another one holds records.',
    file: 'packages/fleet-move/state.ts',
    find: 'SELECT pg_advisory_xact_lock',
    replace: 'SELECT pg_advisory_xact_lock_shared',
    tests: ['test/integration/lanes/concurrent-moves.test.ts'],
    only: 'one after the other',
  },
];
