import { hash } from 'node:crypto';

/** Returns a function that draws integers from 0 up to, but not including, a limit. Equal seeds give equal numbers. */
export function drawFrom(seed: number): (below: number) => number {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    return Number.parseInt(hash('md5', `${seed}/${drawn}`, 'hex').slice(0, 12), 16) % below;
  };
}
