/** Reads a path from its JSON text directly into columns, several times as fast as parsing the points first. */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { encodeIntegers, encodeTrailPath } from './path.ts';
import { ScannedColumn, WordReader } from './scanned-column.ts';

interface ScannedTrailPath {
  /** The bytes that `encodeTrailPath` returns for the same points. */
  trailPath: Uint8Array;
  /** The index after the closing bracket of the array. */
  end: number;
  /** Bounds of the numbers; null for a path without points. */
  range: { earliestTimestamp: number; smallestCourse: number; largestCourse: number } | null;
}

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COLON, COMMA] = [
  0x5b, 0x5d, 0x7b, 0x7d, 0x3a, 0x2c,
] as const;
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x09, 0x0a, 0x0d] as const;

/**
 * A field of a point. The text between the previous field's number and this field's number is nearly always the same.
 */
interface Field {
  readonly name: Uint8Array;
  readonly column: ScannedColumn;
  /** Where the latest such text is in the JSON. Its length is 0 until one has been found. */
  gapStart: number;
  gapLength: number;
}

const newField = (name: string, column: ScannedColumn): Field => {
  return { name: new TextEncoder().encode(`"${name}"`), column, gapStart: 0, gapLength: 0 };
};

// The buffers are reused, like the buffers in path.ts.
const timestamp = new ScannedColumn({ isWhole: true });
const course = new ScannedColumn({ isWhole: false });
const FIELDS = [
  newField('timestamp', timestamp),
  newField('latitude', new ScannedColumn({ isWhole: false })),
  newField('longitude', new ScannedColumn({ isWhole: false })),
  newField('course', course),
];
const COLUMNS = FIELDS.map(({ column }) => column);

/**
 * Reads and encodes the array of trail points whose opening bracket is at index `start` of a JSON text in UTF-8. The
 * result equals that of `encodeTrailPath(JSON.parse(text))`. Accepts only JSON in the trackers' usual format: at most
 * 50,000 points, each with exactly the four fields in the order of the first point. Timestamps must be whole, and
 * `ScannedColumn` must accept all numbers. Returns null for everything else, valid or not, but never accepts an invalid
 * array.
 */
export function scanTrailPath(bytes: Uint8Array, start: number): ScannedTrailPath | null {
  const empty = expectByte(bytes, expectByte(bytes, start, OPEN_ARRAY), CLOSE_ARRAY);
  if (empty >= 0) return { trailPath: encodeTrailPath([]), end: empty, range: null };
  const words = new WordReader(bytes);
  const order = readFieldOrder(words, bytes, start);
  if (order === null) return null;
  let at = start;
  for (let count = 0; count < MAX_TRAIL_POINTS; ) {
    at = scanPoint(words, bytes, at, order, count);
    if (at < 0) return null;
    count++;
    if (bytes[at] === CLOSE_OBJECT && bytes[at + 1] === COMMA) continue;
    const end = expectByte(bytes, expectByte(bytes, at, CLOSE_OBJECT), CLOSE_ARRAY);
    if (end >= 0) return encodeScanned(count, end);
  }
  return null;
}

function encodeScanned(count: number, end: number): ScannedTrailPath | null {
  const { min: earliestTimestamp } = timestamp.range(count);
  const { min: smallestCourse, max: largestCourse } = course.range(count);
  const trailPath = encodeIntegers(COLUMNS, count);
  return trailPath && { trailPath, end, range: { earliestTimestamp, smallestCourse, largestCourse } };
}

/**
 * Resets the fields and returns them in the order of the first point. Returns null if this point does not have each
 * field exactly once.
 */
function readFieldOrder(words: WordReader, bytes: Uint8Array, start: number): Field[] | null {
  const order: Field[] = [];
  let at = start;
  for (let place = 0; place < FIELDS.length; place++) {
    const nameStart = skipToName(bytes, at, place, 0);
    const field = FIELDS.find((candidate) => !order.includes(candidate) && isName(bytes, nameStart, candidate.name));
    if (field === undefined) return null;
    field.gapLength = 0;
    field.column.reset();
    order.push(field);
    const numberStart = skipWhiteSpace(bytes, expectByte(bytes, nameStart + field.name.length, COLON));
    if (numberStart < 0) return null;
    at = field.column.scan(words, numberStart, 0);
    if (at < 0) return null;
  }
  return order;
}

/**
 * Reads the point at `index`. `start` is the array's opening bracket, or the end of the previous number. Returns the
 * end of the point's last number; -1 when the point is not accepted.
 */
function scanPoint(
  words: WordReader,
  bytes: Uint8Array,
  start: number,
  order: readonly Field[],
  index: number,
): number {
  let at = start;
  for (let place = 0; place < order.length; place++) {
    const field = order[place];
    if (field === undefined) return -1;
    if (field.gapLength > 0 && words.isRepeated(field.gapStart, at, field.gapLength)) {
      at += field.gapLength;
    } else {
      const nameStart = skipToName(bytes, at, place, index);
      if (!isName(bytes, nameStart, field.name)) return -1;
      const end = skipWhiteSpace(bytes, expectByte(bytes, nameStart + field.name.length, COLON));
      if (end < 0) return -1;
      field.gapStart = at;
      field.gapLength = end - at;
      at = end;
    }
    at = field.column.scan(words, at, index);
    if (at < 0) return -1;
  }
  return at;
}

/**
 * Returns the index at which a field's name begins; -1 when unexpected bytes precede the name. `place` is the field's
 * place in the point at `index`.
 */
function skipToName(bytes: Uint8Array, start: number, place: number, index: number): number {
  let at = start;
  if (place > 0) {
    at = expectByte(bytes, at, COMMA);
  } else {
    at =
      index === 0 ? expectByte(bytes, at, OPEN_ARRAY) : expectByte(bytes, expectByte(bytes, at, CLOSE_OBJECT), COMMA);
    at = expectByte(bytes, at, OPEN_OBJECT);
  }
  return skipWhiteSpace(bytes, at);
}

function isName(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  return at >= 0 && name.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Skips white space and `byte`. Returns the index after `byte`; -1 if a different byte follows, or if `start` is -1.
 */
function expectByte(bytes: Uint8Array, start: number, byte: number): number {
  const at = skipWhiteSpace(bytes, start);
  return at >= 0 && bytes[at] === byte ? at + 1 : -1;
}

/** Returns the index after white space as JSON defines it; -1 when `start` is -1. */
export function skipWhiteSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at >= 0) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
    at++;
  }
  return at;
}
