import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { BINARY, DEGREES_PER_TURN, factorOf, POWERS, SCALE } from '../format.ts';
import { type BitReader, DamagedBytesError } from './bit-reader.ts';
import { readIntegers, readSmallIntegers } from './integers.ts';

const MAX_EXPONENT = POWERS.length - 1;
const WORD_RANGE = 2 ** 32;

const differences = new Float64Array(MAX_TRAIL_POINTS + 1);
const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

/** Reads `count` (at least 1) values written by `writeApproximations`. Throws DamagedBytesError. */
export function readApproximations(reader: BitReader, values: Float64Array, count: number): void {
  const family = reader.read(SCALE.FAMILY_BITS);
  const exponent = reader.read(SCALE.EXPONENT_BITS) - SCALE.EXPONENT_BIAS;
  const isProduct = reader.read(1) === 1;
  const decimals = reader.read(SCALE.DECIMALS_BITS);
  if (family !== BINARY && !(exponent >= 0 && exponent <= MAX_EXPONENT)) {
    throw new DamagedBytesError(`A scale has the exponent ${exponent}, which is not between 0 and ${MAX_EXPONENT}.`);
  }
  const exceptions = readExceptions(reader, count);
  const length = count - exceptions.length;
  if (length > 0) {
    const factor = factorOf({ family, exponent });
    const origin = family === BINARY ? reader.readDouble() : 0;
    readIntegers(reader, values, length, DEGREES_PER_TURN * factor);
    readSmallIntegers(reader, differences, length + 1);
    const inverse = 1 / factor;
    const power = POWERS[decimals] ?? 1;
    for (let index = 0; index < length; index++) {
      const integer = (values[index] ?? 0) + origin;
      let value = isProduct ? integer * inverse : integer / factor;
      if (decimals > 0) value = Math.round(value * power) / power;
      const difference = differences[index + 1] ?? 0;
      if (difference !== 0) value = addUnits(value, difference);
      if (!Number.isFinite(value))
        throw new DamagedBytesError(`Number ${index} of a column is ${value}, which is not finite.`);
      values[index] = value;
    }
  }
  // Goes from the last exception to the first, so that values are moved before they are overwritten.
  let end = count;
  for (const [place, { index, value }] of [...exceptions.entries()].reverse()) {
    values.copyWithin(index + 1, index - place, end - place - 1);
    values[index] = value;
    end = index;
  }
}

/** Returns the double at this distance from `base`, in units in the last place. */
function addUnits(base: number, difference: number): number {
  doubles[0] = base;
  const high = Math.floor(difference / WORD_RANGE);
  const low = ((words[0] ?? 0) >>> 0) + (difference - high * WORD_RANGE);
  words[1] = (words[1] ?? 0) + high + (low >= WORD_RANGE ? 1 : 0);
  words[0] = low;
  return doubles[0] ?? 0;
}

function readExceptions(reader: BitReader, count: number): { index: number; value: number }[] {
  const exceptions: { index: number; value: number }[] = [];
  const length = reader.readNumber();
  if (length > count) throw new DamagedBytesError(`${count} values cannot have ${length} exceptions.`);
  let index = -1;
  let value = 0;
  while (exceptions.length < length) {
    const distance = reader.readNumber();
    index += distance;
    if (distance === 0 || index >= count) throw new DamagedBytesError('An exception has an impossible index.');
    if (reader.read(1) === 0) value = reader.readDouble();
    exceptions.push({ index, value });
  }
  return exceptions;
}
