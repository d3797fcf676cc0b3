import type { Mutant } from './support/mutant.ts';

const EVENT_LOG = ['test/integration/event-log.test.ts'];
const LEAKS = ['test/integration/operations/erasure-leaks.test.ts'];
const LETTERS = ['test/integration/operations/erased-letters.test.ts'];

/** Mutants of the log and its erasures, which need PostgreSQL. */
export const STORAGE: readonly Mutant[] = [
  {
    name: 'A lower revision that arrives late takes effect.',
    file: 'packages/event-log/decide.ts',
    find: 'current === null || draft.record.revision > current.revision;',
    replace: 'current === null || draft.record.revision > 0;',
    tests: EVENT_LOG,
  },
  {
    name: 'A stored revision that arrives with different content counts as a duplicate.',
    file: 'packages/event-log/decide.ts',
    find: "same.contentHash === draft.contentHash ? 'duplicate' : 'conflict'",
    replace: "same.contentHash !== '' ? 'duplicate' : 'conflict'",
    tests: EVENT_LOG,
  },
  {
    name: 'A source that another process has claimed is advanced.',
    file: 'packages/event-log/append.ts',
    find: ' AND source.epoch = batch.epoch\n',
    replace: '\n',
    tests: EVENT_LOG,
  },
  {
    name: 'A source is advanced from any offset.',
    file: 'packages/event-log/append.ts',
    find: 'AND source.next_offset = batch.expected_offset AND NOT source.stopped',
    replace: 'AND NOT source.stopped',
    tests: EVENT_LOG,
  },
  {
    name: 'A stopped source is advanced.',
    file: 'packages/event-log/append.ts',
    find: 'batch.expected_offset AND NOT source.stopped',
    replace: 'batch.expected_offset',
    tests: EVENT_LOG,
  },
  {
    name: 'A later fault lets a stopped source continue.',
    file: 'packages/event-log/sources.ts',
    find: ' AND (NOT stopped OR $4)\n    AND fault IS NOT NULL AND stopped >= $4',
    replace: ' AND fault IS NOT NULL',
    tests: EVENT_LOG,
  },
  {
    name: 'A replaced process clears the fault of a source.',
    file: 'packages/event-log/sources.ts',
    find: 'WHERE source_id = $1 AND epoch = $2 AND fault IS NOT NULL',
    replace: 'WHERE source_id = $1 AND fault IS NOT NULL',
    tests: EVENT_LOG,
  },
  {
    name: 'A replaced process sends heartbeats of a source.',
    file: 'packages/event-log/sources.ts',
    find: '      USING (source_id, epoch) FOR UPDATE',
    replace: '      USING (source_id) FOR UPDATE',
    tests: EVENT_LOG,
  },
  {
    name: 'A replaced process sets the fence of a fleet.',
    file: 'packages/event-log/fences.ts',
    find: 'WHERE fence.epoch <= excluded.epoch',
    replace: 'WHERE fence.epoch <> 0',
    tests: EVENT_LOG,
  },
  {
    name: 'A fence does not refuse records that another lane should store.',
    file: 'packages/event-log/fences.ts',
    find: '(fleet_id = ANY ($1) AND NOT stores) OR (fleet_id = ANY ($2) AND NOT passes)',
    replace: '(fleet_id = ANY ($1) AND NOT stores) OR (fleet_id = ANY ($2) AND false)',
    tests: EVENT_LOG,
  },
  {
    name: 'The record that identifies a topic is compared without its timestamp.',
    file: 'packages/event-log/sources.ts',
    find: ' || kept.timestamp !== found.timestamp',
    replace: '',
    tests: ['test/integration/ingest/partition-start.test.ts'],
  },
  {
    name: 'A record with too many names keeps its bytes.',
    file: 'packages/event-log/refuse-erased.ts',
    find: "return refused(named === 'unclear' || isTooMuch ? UNCLEAR : ERASED);",
    replace: "return isTooMuch ? record : refused(named === 'unclear' ? UNCLEAR : ERASED);",
    tests: LEAKS,
  },
  {
    name: 'A storable record keeps the bytes that name an erased driver.',
    file: 'packages/event-log/refuse-erased.ts',
    find: 'if (storable) return { ...record, raw: null };',
    replace: 'if (storable) return record;',
    tests: LETTERS,
  },
  {
    name: 'The failure of a projection names the erased driver.',
    file: 'packages/erasure/reports.ts',
    find: "UPDATE generation SET failure = 'The error named a driver who was erased.'",
    replace: 'UPDATE generation SET failure = failure',
    tests: LEAKS,
  },
  {
    name: 'The boundaries of finished chunks name the erased driver.',
    file: 'packages/erasure/read-tables.ts',
    find: '      await transaction.execute(CLEAR_BOUNDARIES, [replay_id, name]);\n',
    replace: '',
    tests: LEAKS,
  },
  {
    name: 'The thread has no free buffer after a failed task.',
    file: 'apps/ingest/records/record-reader.ts',
    find: 'read.then(({ bytes }) => bytes).catch(() => new ArrayBuffer(MAX_TASK_BYTES))',
    replace: 'read.then(({ bytes }) => bytes)',
    tests: ['test/integration/ingest/record-reader.test.ts'],
  },
  {
    name: 'The delay of a partition after a failure keeps growing, even after a success.',
    file: 'apps/ingest/kafka/partition.ts',
    find: '    this.#failures = 0;\n',
    replace: '',
    tests: ['test/integration/ingest/partition-start.test.ts'],
  },
  {
    name: 'A stopped source continues after compaction has removed its last record.',
    file: 'apps/ingest/kafka/partition.ts',
    find: "if (found === 'none' && claim.stopped !== null) {",
    replace: "if (found === 'none' && claim.stopped === '') {",
    tests: ['test/integration/ingest/partition-start.test.ts'],
  },
  {
    name: 'An append does not clear the fault of its source.',
    file: 'packages/event-log/append.ts',
    find: 'fault = NULL, fault_at = NULL\n',
    replace: 'fault = source.fault, fault_at = source.fault_at\n',
    tests: EVENT_LOG,
  },
  {
    name: 'A running replay keeps its claim during an erasure.',
    file: 'packages/erasure/reports.ts',
    find: 'UPDATE replay SET epoch = epoch + 1, lease_expires_at',
    replace: 'UPDATE replay SET lease_expires_at',
    tests: ['test/integration/operations/erasure.test.ts'],
  },
];
