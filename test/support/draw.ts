import { hash } from 'node:crypto';

/** Returns a function that draws non-negative integers below a limit. The same seed gives the same integers. */
export function drawFrom(seed: number): (below: number) => number {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    return Number.parseInt(hash('md5', `${seed}/${drawn}`, 'hex').slice(0, 12), 16) % below;
  };
}

/** Uniform random numbers from 0 to 1 that depend only on the seed (Tommy Ettinger's mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
