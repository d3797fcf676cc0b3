import { type Order, wrapTurns } from '../format.ts';
import { type BitReader, DamagedBytesError, unzigzag } from './bit-reader.ts';
import { readRice } from './rice.ts';

/** Reads `count` (at least 1) numbers written by `writeIntegers`. Throws DamagedBytesError. */
export function readIntegers(reader: BitReader, integers: Float64Array, count: number, turn: number): void {
  const order = reader.read(1) === 0 ? 1 : 2;
  const isUnwrapped = reader.read(1) === 1;
  const isSparse = reader.read(1) === 1;
  integers[0] = unzigzag(reader.readNumber());
  const step = unzigzag(reader.readNumber());
  if (isSparse) readSparse(reader, integers, count);
  else readRice(reader, integers, count);
  fromResiduals(integers, count, step, order);
  if (isUnwrapped) wrapTurns(integers, count, turn);
}

/** Reads what `writeSmallIntegers` wrote. Throws DamagedBytesError. */
export function readSmallIntegers(reader: BitReader, numbers: Float64Array, count: number): void {
  if (reader.read(1) === 1) readSparse(reader, numbers, count);
  else readRice(reader, numbers, count);
}

/** Reads residuals[i] for 1 <= i < count. */
function readSparse(reader: BitReader, residuals: Float64Array, count: number): void {
  residuals.fill(0, 1, count);
  const nonzero = reader.readNumber();
  if (nonzero >= count) throw new DamagedBytesError(`${count} numbers cannot have ${nonzero} residuals.`);
  let index = 0;
  for (let read = 0; read < nonzero; read++) {
    index += reader.readNumber();
    if (index >= count) throw new DamagedBytesError(`A residual lies after the last of ${count} numbers.`);
    residuals[index] = unzigzag(reader.readNumber());
  }
}

/** Replaces the residuals in numbers[i] for 1 <= i < count with the numbers themselves. */
function fromResiduals(numbers: Float64Array, count: number, step: number, order: Order): void {
  let integer = numbers[0] ?? 0;
  let predictedStep = step;
  for (let index = 1; index < count; index++) {
    const actualStep = predictedStep + (numbers[index] ?? 0);
    integer += actualStep;
    numbers[index] = integer;
    if (order === 2) predictedStep = actualStep;
  }
}
