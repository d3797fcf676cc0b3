/**
 * Decodes a path, and writes its JSON text digit by digit into one buffer. The text is byte for byte that of
 * JSON.stringify, except that -0 keeps its sign. Each function that writes text returns the index after the text, and
 * may touch up to three more bytes, which the next write replaces.
 */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { FORMAT, FORMAT_BITS } from '../format.ts';
import { BitReader, checkedContent, DamagedBytesError } from './bit-reader.ts';
import { type Column, readColumns } from './column.ts';

/**
 * Room for 50 bytes of names and punctuation, a timestamp of 17 characters, three doubles of 25 characters, and the
 * extra bytes that a write touches.
 */
const MAX_POINT_BYTES = 160;
const [MINUS, POINT, COMMA, OPEN_ARRAY, CLOSE_ARRAY] = [0x2d, 0x2e, 0x2c, 0x5b, 0x5d] as const;
const END_OF_POINT = toWord('},');
const GROUP = 1000;
const THREE_GROUPS = 1e9;

/** The numbers 0 to 999 with three digits, as 32-bit words: 7 is '007' and an unused byte. */
const PADDED = new Int32Array(GROUP);
/** The same numbers without leading zeros: 7 is '7' and three unused bytes. */
const PLAIN = new Int32Array(GROUP);
const PLAIN_LENGTH = new Uint8Array(GROUP);
/** The number of digits without trailing zeros, which is 3 for 007, 1 for 700 and 0 for 000. */
const FRACTION_LENGTH = new Uint8Array(GROUP);
for (let value = 0; value < GROUP; value++) {
  const padded = String(value).padStart(3, '0');
  PADDED[value] = toWord(padded);
  PLAIN[value] = toWord(String(value));
  PLAIN_LENGTH[value] = String(value).length;
  FRACTION_LENGTH[value] = padded.replace(/0+$/, '').length;
}

// The buffers are reused, because allocating them would take longer than decoding a path. Decoding is synchronous, so no
// two calls use the buffers at the same time.
const emptyColumn = (): Column => ({ numbers: new Float64Array(MAX_TRAIL_POINTS), decimals: 0, min: 0, max: 0 });
const [timestamp, latitude, longitude, course] = [emptyColumn(), emptyColumn(), emptyColumn(), emptyColumn()] as const;
let target = Buffer.alloc(1024 * MAX_POINT_BYTES);

/** A field of a point, with its name as 32-bit words and everything needed to write its numbers. */
interface Field {
  readonly numbers: Float64Array;
  /** The numbers as a JSON array, if they need JSON.stringify. `copied` bytes of the array have already been copied. */
  readonly texts: Buffer | null;
  copied: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  readonly nameLength: number;
  readonly scale: number;
  readonly inverse: number;
  /** Multiplying a fraction by this factor gives its nine decimals as a whole number. */
  readonly fill: number;
}

const NAMES = {
  timestamp: nameOf('{"timestamp":'),
  latitude: nameOf(',"latitude":'),
  longitude: nameOf(',"longitude":'),
  course: nameOf(',"course":'),
};

/** Decodes the columns of a path and returns their length. The next call overwrites them. */
function decodeColumns(bytes: Uint8Array): number {
  const reader = new BitReader(checkedContent(bytes));
  const format = reader.read(FORMAT_BITS);
  if (format !== FORMAT) {
    throw new DamagedBytesError(`The format of a trail path is ${format}, but only ${FORMAT} is known.`);
  }
  const count = reader.readNumber();
  if (count > MAX_TRAIL_POINTS) {
    throw new DamagedBytesError(`A trail path has ${count} points, more than ${MAX_TRAIL_POINTS}.`);
  }
  if (count > 0) {
    readColumns(reader, [timestamp, latitude, longitude, course], count);
    checkTimestamps(count);
  }
  reader.finish();
  return count;
}

function checkTimestamps(count: number): void {
  const { numbers, decimals } = timestamp;
  for (let index = 0; index < count; index++) {
    if (decimals !== 0 || !Number.isSafeInteger(numbers[index])) {
      throw new DamagedBytesError(`Timestamp ${index} is not a whole number of milliseconds.`);
    }
  }
}

/**
 * Decodes the bytes of `encodeTrailPath`, and returns the points as a JSON array. Unlike JSON.stringify, the function
 * writes -0 as `-0`, so that JSON.parse returns every number bit for bit. Throws DamagedBytesError.
 */
export function trailPathToJson(bytes: Uint8Array): string {
  const count = decodeColumns(bytes);
  if (count === 0) return '[]';
  const capacity = (count + 1) * MAX_POINT_BYTES;
  if (target.length < capacity) target = Buffer.alloc(capacity);
  const view = new DataView(target.buffer);
  const timestampField = fieldOf(NAMES.timestamp, timestamp, count, hasThirteenDigits(timestamp));
  const latitudeField = fieldOf(NAMES.latitude, latitude, count, isPlain(latitude, count));
  const longitudeField = fieldOf(NAMES.longitude, longitude, count, isPlain(longitude, count));
  const courseField = fieldOf(NAMES.course, course, count, isPlain(course, count));
  view.setUint8(0, OPEN_ARRAY);
  let at = 1;
  for (let index = 0; index < count; index++) {
    at = writeName(view, at, timestampField);
    if (timestampField.texts === null) at = writeThirteenDigits(view, at, timestampField.numbers[index] ?? 0);
    else at = copyText(view, at, timestampField, timestampField.texts, timestampField.numbers[index] ?? 0);
    at = writeNumber(view, at, latitudeField, index);
    at = writeNumber(view, at, longitudeField, index);
    at = writeNumber(view, at, courseField, index);
    view.setInt32(at, END_OF_POINT, true);
    at += 2;
  }
  view.setUint8(at - 1, CLOSE_ARRAY);
  return target.toString('latin1', 0, at);
}

function hasThirteenDigits({ min, max }: Column): boolean {
  return min >= 1e12 && max < 1e13;
}

/**
 * Whether all values are below 1,000, all integers in `numbers` are below 2^31, and JSON writes no value with an
 * exponent.
 */
function isPlain({ numbers, decimals, min, max }: Column, count: number): boolean {
  const limit = Math.min(1000 * 10 ** decimals, 2 ** 31);
  if (min <= -limit || max >= limit) return false;
  const minPlain = 10 ** (decimals - 6);
  for (let index = 0; minPlain > 1 && index < count; index++) {
    const integer = numbers[index] ?? 0;
    if (integer !== 0 && Math.abs(integer) < minPlain) return false;
  }
  return true;
}

/** Returns up to four ASCII characters as a little-endian 32-bit word, which can be stored with one write. */
function toWord(text: string): number {
  const bytes = Buffer.alloc(4);
  bytes.write(text, 'latin1');
  return bytes.readInt32LE();
}

/** Returns a name and its punctuation, at most 16 characters in total, as four 32-bit words. */
function nameOf(text: string) {
  return {
    first: toWord(text.slice(0, 4)),
    second: toWord(text.slice(4, 8)),
    third: toWord(text.slice(8, 12)),
    fourth: toWord(text.slice(12)),
    nameLength: text.length,
  };
}

function fieldOf(name: ReturnType<typeof nameOf>, column: Column, count: number, isPlain: boolean): Field {
  const { numbers, decimals } = column;
  const scale = 10 ** decimals;
  // JSON.stringify is by far the fastest way to format doubles.
  const spell = () => Buffer.from(JSON.stringify(Array.from(numbers.subarray(0, count), (number) => number / scale)));
  return { ...name, numbers, texts: isPlain ? null : spell(), copied: 1, scale, inverse: 1 / scale, fill: 1e9 / scale };
}

function writeName(view: DataView, at: number, field: Field): number {
  view.setInt32(at, field.first, true);
  view.setInt32(at + 4, field.second, true);
  view.setInt32(at + 8, field.third, true);
  view.setInt32(at + 12, field.fourth, true);
  return at + field.nameLength;
}

function writeNumber(view: DataView, start: number, field: Field, index: number): number {
  const at = writeName(view, start, field);
  const number = field.numbers[index] ?? 0;
  return field.texts === null ? writeDecimal(view, at, field, number) : copyText(view, at, field, field.texts, number);
}

/** Copies the text of a field's next number and restores the sign of -0. */
function copyText(view: DataView, start: number, field: Field, texts: Buffer, number: number): number {
  let at = start;
  if (Object.is(number, -0)) view.setUint8(at++, MINUS);
  let from = field.copied;
  for (let byte = texts[from]; byte !== undefined && byte !== COMMA && byte !== CLOSE_ARRAY; byte = texts[++from]) {
    view.setUint8(at++, byte);
  }
  field.copied = from + 1;
  return at;
}

function writeDecimal(view: DataView, start: number, field: Field, signed: number): number {
  let at = start;
  let integer = signed | 0;
  if (integer < 0) {
    view.setUint8(at++, MINUS);
    integer = -integer | 0;
  }
  // A multiplication is faster than a division. For values below 1,000 with up to nine decimals, both give the same
  // whole degrees, because rounding never leaves a product just below a whole degree.
  const whole = (integer * field.inverse) | 0;
  at = writeSmall(view, at, whole);
  const fraction = (integer - Math.imul(whole, field.scale)) | 0;
  if (fraction === 0) return at;
  view.setUint8(at, POINT);
  return writeFraction(view, at + 1, Math.imul(fraction, field.fill));
}

/** Writes a whole number from 0 to 999. */
function writeSmall(view: DataView, at: number, value: number): number {
  view.setInt32(at, PLAIN[value] ?? 0, true);
  return at + (PLAIN_LENGTH[value] ?? 0);
}

/** Writes value / 10^9, without the point and without trailing zeros, for a whole number from 1 to 10^9 - 1. */
function writeFraction(view: DataView, at: number, value: number): number {
  // `| 0` makes the value a 32-bit number, so that dividing it by a constant compiles to a multiplication.
  const whole = value | 0;
  const thousands = (whole / GROUP) | 0;
  const first = (thousands / GROUP) | 0;
  const second = thousands - first * GROUP;
  const third = whole - thousands * GROUP;
  view.setInt32(at, PADDED[first] ?? 0, true);
  if (second === 0 && third === 0) return at + (FRACTION_LENGTH[first] ?? 0);
  view.setInt32(at + 3, PADDED[second] ?? 0, true);
  if (third === 0) return at + 3 + (FRACTION_LENGTH[second] ?? 0);
  view.setInt32(at + 6, PADDED[third] ?? 0, true);
  return at + 6 + (FRACTION_LENGTH[third] ?? 0);
}

/** Writes a whole number of exactly 13 digits. */
function writeThirteenDigits(view: DataView, at: number, value: number): number {
  const higher = Math.floor(value / THREE_GROUPS);
  const lower = (value - higher * THREE_GROUPS) | 0;
  const first = (higher / GROUP) | 0;
  const millions = (lower / (GROUP * GROUP)) | 0;
  const thousands = (lower / GROUP) | 0;
  view.setInt32(at, PLAIN[first] ?? 0, true);
  view.setInt32(at + 1, PADDED[higher - first * GROUP] ?? 0, true);
  view.setInt32(at + 4, PADDED[millions] ?? 0, true);
  view.setInt32(at + 7, PADDED[thousands - millions * GROUP] ?? 0, true);
  view.setInt32(at + 10, PADDED[lower - thousands * GROUP] ?? 0, true);
  return at + 13;
}
