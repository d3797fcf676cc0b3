import type { Mutant } from './support/mutant.ts';

const TRAIL = ['packages/trail-codec/index.test.ts'];
const DAMAGE = ['packages/trail-codec/damage.test.ts'];
const TRIP_EVENTS = ['packages/trip-event-codec/index.test.ts'];

export const CODECS: readonly Mutant[] = [
  {
    name: 'A wrong checksum is accepted.',
    file: 'packages/trail-codec/checksum.ts',
    find: 'if (crc32(content) !== checksum)',
    replace: 'if (crc32(content) !== checksum && content.byteLength === 0)',
    tests: DAMAGE,
  },
  {
    name: 'The checksum of a view is read from the start of its buffer.',
    file: 'packages/trail-codec/checksum.ts',
    find: 'new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)',
    replace: 'new DataView(bytes.buffer)',
    tests: TRAIL,
  },
  {
    name: 'A trail path of an unknown format is decoded.',
    file: 'packages/trail-codec/path.ts',
    find: 'if (format !== FORMAT)',
    replace: 'if (format < FORMAT)',
    tests: DAMAGE,
  },
  {
    name: 'A trail path with more points than the buffers hold is decoded.',
    file: 'packages/trail-codec/path.ts',
    find: 'if (count > MAX_TRAIL_POINTS)',
    replace: 'if (count > 2 * MAX_TRAIL_POINTS)',
    tests: DAMAGE,
  },
  {
    name: 'A decoded timestamp may be a fraction.',
    file: 'packages/trail-codec/path.ts',
    find: 'decimals !== 0 || !Number.isSafeInteger(numbers[index])',
    replace: '!Number.isSafeInteger(numbers[index])',
    tests: DAMAGE,
  },
  {
    name: 'A path with one point too many is encoded.',
    file: 'packages/trail-codec/index.ts',
    find: 'points.length > MAX_TRAIL_POINTS',
    replace: 'points.length > MAX_TRAIL_POINTS + 1',
    tests: TRAIL,
  },
  {
    name: 'Runs are expanded even if their lengths add up to too many values.',
    file: 'packages/trail-codec/run-lengths.ts',
    find: 'if (sum !== count)',
    replace: 'if (sum < count)',
    tests: DAMAGE,
  },
  {
    name: 'A run may be empty.',
    file: 'packages/trail-codec/run-lengths.ts',
    find: 'if (length < 1)',
    replace: 'if (length < 0)',
    tests: DAMAGE,
  },
  {
    name: 'The -0 of a trip event loses its sign.',
    file: 'packages/trip-event-codec/index.ts',
    find: "Object.is(value, -0) ? '-0' : String(value)",
    replace: 'String(value)',
    tests: TRIP_EVENTS,
  },
  {
    name: 'A number may omit sixteen characters, a count that does not fit in half a byte.',
    file: 'packages/trip-event-codec/index.ts',
    find: 'const MAX_OMITTED = 15;',
    replace: 'const MAX_OMITTED = 16;',
    tests: TRIP_EVENTS,
  },
  {
    name: 'The space for a trip event is too small for the longest numbers.',
    file: 'packages/trip-event-codec/index.ts',
    find: 'const MAX_NUMBER_LENGTH = 24;',
    replace: 'const MAX_NUMBER_LENGTH = 20;',
    tests: TRIP_EVENTS,
  },
  {
    name: 'Bytes after the end of the trip events are ignored.',
    file: 'packages/trip-event-codec/index.ts',
    find: 'if (this.halves >>> 1 !== this.bytes.byteLength)',
    replace: 'if (this.halves >>> 1 > this.bytes.byteLength)',
    tests: TRIP_EVENTS,
  },
  {
    name: 'The last half byte of the trip events may have any value.',
    file: 'packages/trip-event-codec/index.ts',
    find: '(this.halves & 1) === 1 && this.read() !== 0',
    replace: '(this.halves & 1) === 1 && this.read() < 0',
    tests: TRIP_EVENTS,
  },
  {
    name: 'A column with too large a step is missing in the bytes of a path.',
    file: 'packages/trail-codec/path.ts',
    find: 'if (!columnWriter.writeIntegers(column.integers, column.decimals, column === course)) return null;',
    replace: 'columnWriter.writeIntegers(column.integers, column.decimals, column === course);',
    tests: ['packages/trail-codec/path.test.ts'],
  },
  {
    name: 'A scale of 15 decimals cannot be read.',
    file: 'packages/trail-codec/approximations.ts',
    find: 'exponent <= MAX_EXPONENT)) {',
    replace: 'exponent < MAX_EXPONENT)) {',
    tests: ['packages/trail-codec/index.test.ts'],
    only: 'prime meridian',
  },
];
