import { hash } from 'node:crypto';

/** Returns a function that draws non-negative integers below a limit. The same seed gives the same integers. */
export function drawFrom(seed: number): (below: number) => number {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    return Number.parseInt(hash('md5', `${seed}/${drawn}`, 'hex').slice(0, 12), 16) % below;
  };
}
