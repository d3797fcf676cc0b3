/**
 * A column as residuals: what each number differs by from the one that the numbers before it suggest. Order 1 expects the
 * last number plus a constant step; order 2 expects the last step again, which fits a vehicle that goes on as it went.
 */

import { MAXIMUM_INTEGER } from './decimals.ts';

type Order = 1 | 2;

/** A column's most frequent step is looked for among so many first steps. */
const STEP_SAMPLE_LENGTH = 32;

/**
 * Writes the residuals of integers[i], 1 <= i < count, into residuals[i]. Returns how many are not zero; -1 when one is so
 * large that the sums of decoding would round.
 */
export function toResiduals(
  integers: Float64Array,
  count: number,
  step: number,
  order: Order,
  residuals: Float64Array,
): number {
  let previous = integers[0] ?? 0;
  let expectedStep = step;
  let nonzero = 0;
  let isLarge = false;
  for (let index = 1; index < count; index++) {
    const integer = integers[index] ?? 0;
    const actualStep = integer - previous;
    const residual = actualStep - expectedStep;
    residuals[index] = residual;
    if (residual !== 0) nonzero++;
    if (Math.abs(residual) > MAXIMUM_INTEGER) isLarge = true;
    previous = integer;
    if (order === 2) expectedStep = actualStep;
  }
  return isLarge ? -1 : nonzero;
}

/** Turns the residuals in numbers[i], 1 <= i < count, in place back into the numbers they stand for. */
export function fromResiduals(numbers: Float64Array, count: number, step: number, order: Order): void {
  let integer = numbers[0] ?? 0;
  let expectedStep = step;
  for (let index = 1; index < count; index++) {
    const actualStep = expectedStep + (numbers[index] ?? 0);
    integer += actualStep;
    numbers[index] = integer;
    if (order === 2) expectedStep = actualStep;
  }
}

/** The order with the smaller residuals among so many from the middle. Square roots keep a few jumps from outweighing many small residuals. */
export function bestOrder(integers: Float64Array, count: number, sampleLength: number): Order {
  const start = Math.max(2, (count - sampleLength) >>> 1);
  const end = Math.min(count, start + sampleLength);
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

/** The step that more than half of a column's steps equal (3,000 ms between timestamps); 0 when none is found. */
export function majorityStep(integers: Float64Array, count: number): number {
  const candidate = vote(integers, Math.min(count, STEP_SAMPLE_LENGTH + 1));
  const steps = count - 1;
  let others = 0;
  for (let index = 1; index < count; index++) {
    if ((integers[index] ?? 0) - (integers[index - 1] ?? 0) === candidate) continue;
    others++;
    if (others * 2 >= steps) return 0;
  }
  return candidate;
}

/** Majority vote of Boyer and Moore: if any step has a majority among these, it is the returned one. */
function vote(integers: Float64Array, count: number): number {
  let candidate = 0;
  let votes = 0;
  for (let index = 1; index < count; index++) {
    const step = (integers[index] ?? 0) - (integers[index - 1] ?? 0);
    if (votes === 0) candidate = step;
    votes += step === candidate ? 1 : -1;
  }
  return candidate;
}
