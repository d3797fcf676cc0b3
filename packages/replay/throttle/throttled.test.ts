import { describe, expect, it } from 'vitest';
import type { Throttle } from '../replay.ts';
import { Automatic } from './automatic.ts';
import { Throttled } from './throttled.ts';

function throttledTo(throttle: Throttle): Throttled {
  return new Throttled({ throttle, automatic: new Automatic(), tripsPerEvent: 1 });
}

describe('a throttled replay', () => {
  const { signal } = new AbortController();

  it('delays the next chunk in proportion to the trips of the previous one', async () => {
    const throttled = throttledTo(1);
    expect(await throttled.mayStart(0, signal)).toBe(true);
    throttled.onChunk(10_000, 5);
    expect(await throttled.mayStart(0, signal)).toBe(false);
  });

  it.each(['auto', 'off', 1_000_000] as const)('follows a change of the throttle to %s immediately', async (other) => {
    const throttled = throttledTo(1);
    throttled.onChunk(10_000, 5);
    throttled.throttle = other;
    expect(await throttled.mayStart(0, signal)).toBe(true);
  });

  it.each([1, 1_000_000, 'auto'] as const)(
    'runs on its first worker alone when the throttle is %s',
    async (throttle) => {
      const throttled = throttledTo(throttle);
      expect(await throttled.mayStart(1, signal)).toBe(false);
      expect(await throttled.mayStart(0, signal)).toBe(true);
    },
  );

  it('runs on all workers without a throttle', async () => {
    const throttled = throttledTo('off');
    throttled.onChunk(10_000, 5);
    expect(await Promise.all([0, 1, 2].map((worker) => throttled.mayStart(worker, signal)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('keeps its delay when the throttle is set to the same value again', async () => {
    const throttled = throttledTo(1);
    throttled.onChunk(10_000, 5);
    throttled.throttle = 1;
    expect(await throttled.mayStart(0, signal)).toBe(false);
  });
});
