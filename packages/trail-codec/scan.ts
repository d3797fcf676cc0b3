/** A path read from its JSON text straight into its columns: several times as fast as by way of points. */

import { encodeColumns, encodeIntegerColumns } from './path.ts';
import { ScannedColumn } from './scanned-column.ts';
import { WordReader } from './text-words.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';

interface ScannedTrailPath {
  /** What `encodeTrailPath` makes of the same points. */
  trailPath: Uint8Array;
  /** The index behind the array's closing bracket. */
  end: number;
  /** Between which numbers the path lies; null where it has no point. */
  range: { earliestTimestamp: number; smallestCourse: number; largestCourse: number } | null;
}

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COLON, COMMA] = [
  0x5b, 0x5d, 0x7b, 0x7d, 0x3a, 0x2c,
] as const;
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x09, 0x0a, 0x0d] as const;

/** A field of a point. What stands between the number before it and its own is the same at nearly every point. */
class Field {
  readonly name: Uint8Array;
  readonly column: ScannedColumn;
  /** Where that text last stood, and its length; 0: nowhere yet. */
  gapStart = 0;
  gapLength = 0;

  constructor(name: string, column: ScannedColumn) {
    this.name = new TextEncoder().encode(`"${name}"`);
    this.column = column;
  }
}

// Kept between calls, like the buffers of path.ts.
const timestamp = new Field('timestamp', new ScannedColumn({ whole: true }));
const latitude = new Field('latitude', new ScannedColumn({ whole: false }));
const longitude = new Field('longitude', new ScannedColumn({ whole: false }));
const course = new Field('course', new ScannedColumn({ whole: false }));
const FIELDS = [timestamp, latitude, longitude, course] as const;

/**
 * Reads the array of trail points whose opening bracket is at index `start` of a JSON text in UTF-8, and encodes it: what
 * `encodeTrailPath(JSON.parse(text))` gives, byte for byte. It takes what trackers send: points of exactly the four fields
 * in the order of the first point, numbers that `ScannedColumn` takes, timestamps whole, at most 50,000 points.
 * Null for everything else, which says nothing about whether it is valid; an array that is not is never taken.
 */
export function scanTrailPath(bytes: Uint8Array, start: number): ScannedTrailPath | null {
  const empty = expectByte(bytes, expectByte(bytes, start, OPEN_ARRAY), CLOSE_ARRAY);
  if (empty >= 0) return { trailPath: encodeColumns([]), end: empty, range: null };
  const words = new WordReader(bytes);
  const order = orderOfFields(words, bytes, start);
  if (order === null) return null;
  let at = start;
  for (let count = 0; count < MAXIMUM_TRAIL_POINTS; ) {
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
  const { smallest: earliestTimestamp } = timestamp.column.range(count);
  const { smallest: smallestCourse, largest: largestCourse } = course.column.range(count);
  const trailPath = encodeIntegerColumns(timestamp.column, latitude.column, longitude.column, course.column, count);
  return trailPath && { trailPath, end, range: { earliestTimestamp, smallestCourse, largestCourse } };
}

/** The fields in the order of the first point, made ready to be read; null when it does not have each of them once. */
function orderOfFields(words: WordReader, bytes: Uint8Array, start: number): Field[] | null {
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

/** Reads the point at `index`; `start` is the array's opening bracket or the end of the number before. -1: not taken. */
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

/** The index of the name of the field at `place` of the point at `index`; -1 when other bytes come before. */
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

/** The index behind `byte`, which white space may precede; -1 when it is not there, or when `start` is -1. */
function expectByte(bytes: Uint8Array, start: number, byte: number): number {
  const at = skipWhiteSpace(bytes, start);
  return at >= 0 && bytes[at] === byte ? at + 1 : -1;
}

/** The index behind white space as JSON knows it; -1 for -1. */
function skipWhiteSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at >= 0) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
    at++;
  }
  return at;
}
