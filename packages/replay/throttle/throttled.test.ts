import { describe, expect, it } from 'vitest';
import type { Throttle } from '../replay.ts';
import { Automatic } from './automatic.ts';
import { Throttled } from './throttled.ts';

function throttledTo(throttle: Throttle): Throttled {
  return new Throttled({ throttle, automatic: new Automatic(), tripsPerEvent: 1 });
}

describe('a throttle', () => {
  const { signal } = new AbortController();

  it('lets the next chunk wait for as long as the one before was worth', async () => {
    const throttled = throttledTo(1);
    expect(await throttled.mayStart(0, signal)).toBe(true);
    throttled.onChunk(10_000, 5);
    expect(await throttled.mayStart(0, signal)).toBe(false);
  });

  it.each(['auto', 'off', 1_000_000] as const)(
    'that is changed to %s counts at once, not hours later',
    async (other) => {
      const throttled = throttledTo(1);
      throttled.onChunk(10_000, 5);
      throttled.throttle = other;
      expect(await throttled.mayStart(0, signal)).toBe(true);
    },
  );

  it('that is said again as it was lets nobody start early', async () => {
    const throttled = throttledTo(1);
    throttled.onChunk(10_000, 5);
    throttled.throttle = 1;
    expect(await throttled.mayStart(0, signal)).toBe(false);
  });
});
