import type { Throttle } from '@milepost/replay';
import { InvalidArgumentError } from 'commander';

const RATE = /^[1-9]\d{0,8}$/;

/** A throttle given on the command line: trips per second, `auto` or `off`. */
export function throttle(text: string): Throttle {
  if (text === 'auto' || text === 'off') return text;
  if (RATE.test(text)) return Number(text);
  throw new InvalidArgumentError(
    'It must be trips per second as a whole number from 1 to 999999999, or auto (as readers allow), or off (as fast as it can).',
  );
}
