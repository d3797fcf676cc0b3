/** The JSON text of a path, byte for byte as JSON.stringify writes its points but for -0, digit by digit into one buffer. */

import type { Column, Columns } from './columns.ts';
import { fourCharacters, writeFraction, writeSmall, writeThirteen } from './digits.ts';

/** 50 bytes of names and punctuation, a timestamp of 17 characters, three doubles of 25, and what a write touches more. */
const MAXIMUM_POINT_BYTES = 160;
const [MINUS, POINT, COMMA, OPEN_ARRAY, CLOSE_ARRAY] = [0x2d, 0x2e, 0x2c, 0x5b, 0x5d] as const;
const END_OF_POINT = fourCharacters('},');

// Kept between calls, like the buffers of path.ts.
let target = Buffer.alloc(1024 * MAXIMUM_POINT_BYTES);

/** How a column's numbers are written: their name, four characters a number, and powers of ten. */
interface Field {
  readonly numbers: Float64Array;
  /** The numbers as a JSON array, when they are not usual, and how far it was copied. */
  readonly texts: Buffer | null;
  copied: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  readonly nameLength: number;
  readonly scale: number;
  readonly inverse: number;
  /** Makes the fraction of a number one of nine decimals. */
  readonly fill: number;
}

const NAMES = {
  timestamp: nameOf('{"timestamp":'),
  latitude: nameOf(',"latitude":'),
  longitude: nameOf(',"longitude":'),
  course: nameOf(',"course":'),
};

/** The path's points as a JSON array. */
export function columnsToJson({ count, timestamp, latitude, longitude, course }: Columns): string {
  if (count === 0) return '[]';
  const capacity = (count + 1) * MAXIMUM_POINT_BYTES;
  if (target.length < capacity) target = Buffer.alloc(capacity);
  const view = new DataView(target.buffer);
  const timestampField = fieldOf(NAMES.timestamp, timestamp, count, isThirteenDigits(timestamp));
  const latitudeField = fieldOf(NAMES.latitude, latitude, count, isUsual(latitude, count));
  const longitudeField = fieldOf(NAMES.longitude, longitude, count, isUsual(longitude, count));
  const courseField = fieldOf(NAMES.course, course, count, isUsual(course, count));
  view.setUint8(0, OPEN_ARRAY);
  let at = 1;
  for (let index = 0; index < count; index++) {
    at = writeName(view, at, timestampField);
    if (timestampField.texts === null) at = writeThirteen(view, at, timestamp.numbers[index] ?? 0);
    else at = writeText(view, at, timestampField, timestampField.texts, timestamp.numbers[index] ?? 0);
    at = writeNumber(view, at, latitudeField, index);
    at = writeNumber(view, at, longitudeField, index);
    at = writeNumber(view, at, courseField, index);
    view.setInt32(at, END_OF_POINT, true);
    at += 2;
  }
  view.setUint8(at - 1, CLOSE_ARRAY);
  return target.toString('latin1', 0, at);
}

function isThirteenDigits(column: Column): boolean {
  return column.smallest >= 1e12 && column.largest < 1e13;
}

/** Whether all values are below 1,000, their numbers below 2^31, and none is so small that JSON gives it an exponent. */
function isUsual({ numbers, decimals, smallest, largest }: Column, count: number): boolean {
  const limit = Math.min(1000 * 10 ** decimals, 2 ** 31);
  if (smallest <= -limit || largest >= limit) return false;
  const smallestPlain = 10 ** (decimals - 6);
  for (let index = 0; smallestPlain > 1 && index < count; index++) {
    const integer = numbers[index] ?? 0;
    if (integer !== 0 && Math.abs(integer) < smallestPlain) return false;
  }
  return true;
}

/** The name and its punctuation, at most 16 characters. */
function nameOf(text: string) {
  return {
    first: fourCharacters(text.slice(0, 4)),
    second: fourCharacters(text.slice(4, 8)),
    third: fourCharacters(text.slice(8, 12)),
    fourth: fourCharacters(text.slice(12)),
    nameLength: text.length,
  };
}

function fieldOf(name: ReturnType<typeof nameOf>, column: Column, count: number, isUsual: boolean): Field {
  const { numbers, decimals } = column;
  const scale = 10 ** decimals;
  // By far the fastest way to spell doubles.
  const spell = () => Buffer.from(JSON.stringify(Array.from(numbers.subarray(0, count), (number) => number / scale)));
  return { ...name, numbers, texts: isUsual ? null : spell(), copied: 1, scale, inverse: 1 / scale, fill: 1e9 / scale };
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
  return field.texts === null ? writeDecimal(view, at, field, number) : writeText(view, at, field, field.texts, number);
}

/** Copies the next text of a field, to which it gives back the sign of -0. */
function writeText(view: DataView, start: number, field: Field, texts: Buffer, number: number): number {
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
  // Faster than dividing, and exact below 1,000 with up to nine decimals: no whole degree is rounded to just below itself.
  const whole = (integer * field.inverse) | 0;
  at = writeSmall(view, at, whole);
  const fraction = (integer - Math.imul(whole, field.scale)) | 0;
  if (fraction === 0) return at;
  view.setUint8(at, POINT);
  return writeFraction(view, at + 1, Math.imul(fraction, field.fill));
}
