/** Courses are cyclic: from 359.9 to 0.1 is a step of 0.2. Undone, the course runs on past a full turn and below zero. */

export const DEGREES_IN_A_TURN = 360;

/**
 * Replaces integers in [0, turn) by equivalent ones without jumps; changes nothing and returns false when one lies outside,
 * or when so many turns one way would go beyond what a double counts in ones. With nine decimals 50,000 points cannot: a
 * step is at most half a turn, and 25,000 turns of 3.6 * 10^11 are below 2^53.
 */
export function unwrapTurns(integers: Float64Array, count: number, turn: number): boolean {
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

/** Undoes `unwrapTurns`. */
export function wrapTurns(integers: Float64Array, count: number, turn: number): void {
  for (let index = 0; index < count; index++) {
    const integer = integers[index] ?? 0;
    if (integer < 0 || integer >= turn) integers[index] = integer - turn * Math.floor(integer / turn);
  }
}
