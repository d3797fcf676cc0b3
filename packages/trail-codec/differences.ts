/**
 * A column as residuals: what each number differs by from the one that the numbers before it suggest. Order 1 expects the
 * last number plus a constant step; order 2 expects the last step again, which fits a vehicle that goes on as it went.
 */

export type Order = 1 | 2;

/** An order is chosen by so many numbers from a column's middle: by all of them would cost more than it gains. */
const SAMPLE_LENGTH = 96;

/** Writes the residuals of integers[i], 1 <= i < count, into residuals[i]. */
export function toResiduals(
  integers: Float64Array,
  count: number,
  step: number,
  order: Order,
  residuals: Float64Array,
): void {
  let previous = integers[0] ?? 0;
  let expectedStep = step;
  for (let index = 1; index < count; index++) {
    const integer = integers[index] ?? 0;
    const actualStep = integer - previous;
    residuals[index] = actualStep - expectedStep;
    previous = integer;
    if (order === 2) expectedStep = actualStep;
  }
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

/** The order with the smaller residuals. Square roots keep a few jumps from outweighing many small residuals. */
export function bestOrder(integers: Float64Array, count: number): Order {
  const start = Math.max(2, (count - SAMPLE_LENGTH) >>> 1);
  const end = Math.min(count, start + SAMPLE_LENGTH);
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
