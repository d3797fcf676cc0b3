import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { MAX_INTEGER, type Order, wrapTurns } from '../format.ts';
import { type BitWriter, zigzag } from './bit-writer.ts';
import { writeRice } from './rice.ts';

/** Residuals are sparse when fewer than 1 / `SPARSE_SHARE` of them differ from zero. */
const SPARSE_SHARE = 8;
/** This many values determine the order, because examining all of them would cost more than it saves. */
const ORDER_SAMPLE_LENGTH = 32;
/** The most frequent step is determined from this many steps at the beginning. */
const STEP_SAMPLE_LENGTH = 32;

const residuals = new Float64Array(MAX_TRAIL_POINTS);

/**
 * Writes `count` (at least 1) whole numbers. Writes nothing and returns false when a residual is too large.
 *
 * @param integers the numbers, which may be overwritten if they are cyclic
 * @param turn a full turn in the units of the integers if they are cyclic; otherwise 0
 */
export function writeIntegers(writer: BitWriter, integers: Float64Array, count: number, turn: number): boolean {
  const isUnwrapped = turn > 0 && unwrapTurns(integers, count, turn);
  const step = majorityStep(integers, count);
  // If most steps are equal, order 1 is better. After a single step that differs, order 1 still predicts the usual
  // step, whereas order 2 would repeat the different one.
  const order = step === 0 ? bestOrder(integers, count) : 1;
  const nonzero = toResiduals(integers, count, step, order);
  if (nonzero < 0 || Math.abs(step) > MAX_INTEGER) return false;
  writer.write(order - 1, 1);
  writer.write(isUnwrapped ? 1 : 0, 1);
  writer.write(isSparse(nonzero, count), 1);
  writer.writeNumber(zigzag(integers[0] ?? 0));
  writer.writeNumber(zigzag(step));
  writeResiduals(writer, residuals, count, nonzero);
  return true;
}

/** Writes numbers[i] for 1 <= i < count, mostly small whole numbers, `nonzero` of which are not zero. */
export function writeSmallIntegers(writer: BitWriter, numbers: Float64Array, count: number, nonzero: number): void {
  writer.write(isSparse(nonzero, count), 1);
  writeResiduals(writer, numbers, count, nonzero);
}

function isSparse(nonzero: number, count: number): 0 | 1 {
  return nonzero * SPARSE_SHARE < count ? 1 : 0;
}

function writeResiduals(writer: BitWriter, residuals: Float64Array, count: number, nonzero: number): void {
  if (isSparse(nonzero, count)) writeSparse(writer, residuals, count, nonzero);
  else writeRice(writer, residuals, count);
}

/** Writes the number of nonzero residuals, and each nonzero residual with its distance from the previous one. */
function writeSparse(writer: BitWriter, residuals: Float64Array, count: number, nonzero: number): void {
  writer.writeNumber(nonzero);
  let last = 0;
  for (let index = 1, left = nonzero; left > 0 && index < count; index++) {
    const residual = residuals[index] ?? 0;
    if (residual === 0) continue;
    writer.writeNumber(index - last);
    writer.writeNumber(zigzag(residual));
    last = index;
    left--;
  }
}

/**
 * Writes the residuals of integers[i] for 1 <= i < count into residuals[i]. Returns the number of nonzero residuals; -1
 * when a residual is so large that decoding would round sums.
 */
function toResiduals(integers: Float64Array, count: number, step: number, order: Order): number {
  let previous = integers[0] ?? 0;
  let predictedStep = step;
  let nonzero = 0;
  let isTooLarge = false;
  for (let index = 1; index < count; index++) {
    const integer = integers[index] ?? 0;
    const actualStep = integer - previous;
    const residual = actualStep - predictedStep;
    residuals[index] = residual;
    if (residual !== 0) nonzero++;
    if (Math.abs(residual) > MAX_INTEGER) isTooLarge = true;
    previous = integer;
    if (order === 2) predictedStep = actualStep;
  }
  return isTooLarge ? -1 : nonzero;
}

/**
 * Returns the order with the smaller residuals in a sample. Square roots keep a few jumps from outweighing many small
 * residuals.
 */
function bestOrder(integers: Float64Array, count: number): Order {
  const start = Math.max(2, (count - ORDER_SAMPLE_LENGTH) >>> 1);
  const end = Math.min(count, start + ORDER_SAMPLE_LENGTH);
  let first = 0;
  let second = 0;
  for (let index = start; index < end; index++) {
    const previous = integers[index - 1] ?? 0;
    const step = (integers[index] ?? 0) - previous;
    const previousStep = previous - (integers[index - 2] ?? 0);
    first += Math.sqrt(Math.abs(step));
    second += Math.sqrt(Math.abs(step - previousStep));
  }
  return first <= second ? 1 : 2;
}

/**
 * Returns the step that makes up more than half of all steps (such as 3,000 ms between timestamps); 0 when none is
 * found.
 */
function majorityStep(integers: Float64Array, count: number): number {
  const candidate = majorityCandidate(integers, Math.min(count, STEP_SAMPLE_LENGTH + 1));
  const steps = count - 1;
  let others = 0;
  for (let index = 1; index < count; index++) {
    if ((integers[index] ?? 0) - (integers[index - 1] ?? 0) === candidate) continue;
    others++;
    if (others * 2 >= steps) return 0;
  }
  return candidate;
}

/** Returns the result of a Boyer-Moore majority vote. If one step makes up more than half of the steps, it wins. */
function majorityCandidate(integers: Float64Array, count: number): number {
  let candidate = 0;
  let votes = 0;
  for (let index = 1; index < count; index++) {
    const step = (integers[index] ?? 0) - (integers[index - 1] ?? 0);
    if (votes === 0) candidate = step;
    votes += step === candidate ? 1 : -1;
  }
  return candidate;
}

/**
 * Replaces cyclic integers in [0, turn) with equivalent ones without jumps, so the step from 359.9 to 0.1 degrees
 * becomes 0.2. Returns false and changes nothing if an integer is outside [0, turn), or if too many turns in one
 * direction would exceed the safe integers. The latter is impossible for 50,000 points with nine decimals: a step is at
 * most half a turn, and 25,000 turns of 3.6 * 10^11 are less than 2^53.
 */
function unwrapTurns(integers: Float64Array, count: number, turn: number): boolean {
  for (let index = 0; index < count; index++) {
    const integer = integers[index] ?? 0;
    if (integer < 0 || integer >= turn) return false;
  }
  let previous = integers[0] ?? 0;
  let offset = 0;
  for (let index = 1; index < count; index++) {
    const integer = integers[index] ?? 0;
    const step = integer - previous;
    if (step * 2 > turn) offset -= turn;
    else if (step * 2 < -turn) offset += turn;
    if (Math.abs(integer + offset) > Number.MAX_SAFE_INTEGER) {
      wrapTurns(integers, index, turn);
      return false;
    }
    previous = integer;
    integers[index] = integer + offset;
  }
  return true;
}
