import { hash } from 'node:crypto';

/** Whole numbers from 0 to below a limit, which follow from the seed: the same in every run. */
export function drawFrom(seed: number): (below: number) => number {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    return Number.parseInt(hash('md5', `${seed}/${drawn}`, 'hex').slice(0, 12), 16) % below;
  };
}
