import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { BINARY, DEGREES_PER_TURN, factorOf, MAX_INTEGER, POWERS, SCALE } from '../format.ts';
import type { BitWriter } from './bit-writer.ts';
import { writeIntegers, writeSmallIntegers } from './integers.ts';
import { chooseScale, isPlaceholder } from './scale.ts';

const WORD_RANGE = 2 ** 32;
/** Above this limit, the double itself takes fewer bits than the difference. */
const MAX_DIFFERENCE = 2 ** 50;

const integers = new Float64Array(MAX_TRAIL_POINTS);
const differences = new Float64Array(MAX_TRAIL_POINTS + 1);
const doubles = new Float64Array(2);
const words = new Int32Array(doubles.buffer);

/**
 * Writes `count` (at least 1) values. If the values do not fit this form, returns false after writing part of the
 * column.
 */
export function writeApproximations(
  writer: BitWriter,
  values: Float64Array,
  count: number,
  isCyclic: boolean,
): boolean {
  const scale = chooseScale(values, count);
  if (scale === null) return false;
  const { family, exponent, isProduct, decimals, origin } = scale;
  writer.write(family, SCALE.FAMILY_BITS);
  writer.write(exponent + SCALE.EXPONENT_BIAS, SCALE.EXPONENT_BITS);
  writer.write(isProduct ? 1 : 0, 1);
  writer.write(decimals, SCALE.DECIMALS_BITS);
  const factor = factorOf(scale);
  const inverse = 1 / factor;
  const power = POWERS[decimals] ?? 1;
  const exceptions: number[] = [];
  let length = 0;
  let nonzero = 0;
  for (let index = 0; index < count; index++) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * factor) + 0;
    let base = isProduct ? integer * inverse : integer / factor;
    if (decimals > 0) base = Math.round(base * power) / power;
    const difference = base === value ? 0 : differenceOf(value, base);
    if (isPlaceholder(value) || !(Math.abs(integer - origin) <= MAX_INTEGER) || Math.abs(difference) > MAX_DIFFERENCE) {
      exceptions.push(index);
      continue;
    }
    integers[length++] = integer - origin;
    differences[length] = difference;
    if (difference !== 0) nonzero++;
  }
  writeExceptions(writer, values, exceptions);
  if (length === 0) return true;
  if (family === BINARY) writer.writeDouble(origin);
  const turn = isCyclic && family !== BINARY ? DEGREES_PER_TURN * factor : 0;
  if (!writeIntegers(writer, integers, length, turn)) return false;
  writeSmallIntegers(writer, differences, length + 1, nonzero);
  return true;
}

/** Returns the distance from `base` to `value`, in units in the last place. It is approximate beyond 2^53. */
function differenceOf(value: number, base: number): number {
  doubles[0] = value;
  doubles[1] = base;
  const high = (words[1] ?? 0) - (words[3] ?? 0);
  return high * WORD_RANGE + (((words[0] ?? 0) >>> 0) - ((words[2] ?? 0) >>> 0));
}

/**
 * Writes the number of exceptions. For each exception, writes its distance from the previous exception and one bit that
 * says whether both have the same value. If they do not, writes the value too.
 */
function writeExceptions(writer: BitWriter, values: Float64Array, exceptions: readonly number[]): void {
  writer.writeNumber(exceptions.length);
  let last = -1;
  let previous = 0;
  for (const index of exceptions) {
    const value = values[index] ?? 0;
    const isSame = Object.is(value, previous);
    writer.writeNumber(index - last);
    writer.write(isSame ? 1 : 0, 1);
    if (!isSame) writer.writeDouble(value);
    last = index;
    previous = value;
  }
}
