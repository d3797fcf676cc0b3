import type { Mutant } from './support/mutant.ts';

const NAMES = ['packages/event-log/names-in.test.ts'];
const READ_RECORD = ['packages/event-log/read-record.test.ts'];
const PREPARE = ['packages/event-log/prepare.test.ts'];

export const EVENT_LOG: readonly Mutant[] = [
  {
    name: 'A chunk holds one item too many.',
    file: 'packages/event-log/chunk-by-size.ts',
    find: 'chunk.length >= maxItems',
    replace: 'chunk.length > maxItems',
    tests: ['packages/event-log/chunk-by-size.test.ts'],
  },
  {
    name: 'The size of a chunk includes that of all chunks before it.',
    file: 'packages/event-log/chunk-by-size.ts',
    find: '      chunk = [];\n      chunkSize = 0;',
    replace: '      chunk = [];',
    tests: ['packages/event-log/chunk-by-size.test.ts'],
  },
  {
    name: 'The content hash ignores where the trip events end and the trail path begins.',
    file: 'packages/event-log/prepare.ts',
    find: 'Buffer.from(json + tripEvents.byteLength)',
    replace: 'Buffer.from(json)',
    tests: PREPARE,
  },
  {
    name: 'The gathered trip events overlap the trail path.',
    file: 'packages/event-log/prepare.ts',
    find: 'at += bytes.byteLength;',
    replace: 'at += bytes.byteLength > 0 ? bytes.byteLength - 1 : 0;',
    tests: PREPARE,
  },
  {
    name: 'A record that names several fleets counts as a record of the first one.',
    file: 'packages/event-log/prepare.ts',
    find: 'named.fleets.length === 1 ?',
    replace: 'named.fleets.length >= 1 ?',
    tests: PREPARE,
  },
  {
    name: 'A record with a second trail path is read without a full parse.',
    file: 'packages/event-log/read-record.ts',
    find: 'after.includes(TRAIL_PATH) || ',
    replace: '',
    tests: READ_RECORD,
  },
  {
    name: 'A record that is too large is read without a full parse.',
    file: 'packages/event-log/read-record.ts',
    find: 'raw === null || raw.byteLength > MAX_RECORD_BYTES',
    replace: 'raw === null',
    tests: READ_RECORD,
  },
  {
    name: 'A record that is read without a full parse has no warnings about its trail path.',
    file: 'packages/event-log/read-record.ts',
    find: '...(scanned.range ? trailPathWarnings(scanned.range) : [])',
    replace: '',
    tests: READ_RECORD,
  },
  {
    name: 'A deletion with a driver id does not name the driver.',
    file: 'packages/event-log/names-in.ts',
    find: "kind === 'trip.deleted' ? 'driver_id'",
    replace: "kind === 'trip.deleted' ? 'source_trip_id'",
    tests: PREPARE,
  },
  {
    name: 'A storable record with escaped member names counts as naming only the ids of its fields.',
    file: 'packages/event-log/names-in.ts',
    find: "  if (bytes.includes('\\\\u00')) return true;\n",
    replace: '',
    tests: PREPARE,
    only: 'members with escaped names',
  },
  {
    name: 'In damaged bytes, an escaped quote ends a string.',
    file: 'packages/event-log/names-in.ts',
    find: 'if ((at - before) % 2 === 0) return at;',
    replace: 'if (at >= before) return at;',
    tests: NAMES,
  },
  {
    name: 'A record within a string is not searched.',
    file: 'packages/event-log/names-in.ts',
    find: 'return !isNested || this.through(Buffer.from(text));',
    replace: 'return isNested || !isNested;',
    tests: NAMES,
  },
  {
    name: 'A record with too many strings names only the first of them.',
    file: 'packages/event-log/names-in.ts',
    find: 'driver_id.size + source_trip_id.size > MAX_STRINGS) return false;',
    replace: 'driver_id.size + source_trip_id.size > MAX_STRINGS) return true;',
    tests: NAMES,
  },
  {
    name: 'The fleet that a nested object names counts as the fleet of the record.',
    file: 'packages/event-log/names-in.ts',
    find: "fleets ?? (isMissing ? 'any' : search.fleets())",
    replace: 'fleets ?? search.fleets()',
    tests: NAMES,
  },
  {
    name: 'If a record repeats the member for the driver, only the last driver is named.',
    file: 'packages/event-log/names-in.ts',
    find: '!FIELDS.some((field) => isRepeated(bytes, field)) && ',
    replace: '',
    tests: NAMES,
  },
  {
    name: 'In a binary format, only the ids that look like text are found.',
    file: 'packages/event-log/names-in.ts',
    find: "if (readSchemaFrame(bytes)?.isJson === false) return 'unclear';",
    replace: '',
    tests: NAMES,
  },
  {
    name: 'A driver id that is a number is named only as the record spells it.',
    file: 'packages/event-log/names-in.ts',
    find: "if (text !== '' && Number.isFinite(Number(text)))",
    replace: "if (text === '' && Number.isFinite(Number(text)))",
    tests: NAMES,
  },
];
