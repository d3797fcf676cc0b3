import { describe, expect, it, vi } from 'vitest';
import type { Throttle } from '../replay.ts';
import { Throttled } from './throttled.ts';

function throttledTo(throttle: Throttle): Throttled {
  return new Throttled(throttle, 1);
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
    for (const worker of [0, 1, 2]) expect(await throttled.mayStart(worker, signal)).toBe(true);
  });

  it('waits until its trips match the rate, and counts the time of its work and the passes over the log', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const throttled = new Throttled(10, 0.5);
    clock.mockReturnValue(3_000);
    // The work took 3 s, but 100 trips should take 10 s.
    throttled.onChunk(200, 3_000);
    clock.mockReturnValue(9_999);
    expect(await throttled.mayStart(0, signal)).toBe(false);
    clock.mockReturnValue(10_000);
    expect(await throttled.mayStart(0, signal)).toBe(true);
  });

  it('waits in proportion to its work under the automatic throttle', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const throttled = throttledTo('auto');
    throttled.onChunk(200, 300);
    clock.mockReturnValue(699);
    expect(await throttled.mayStart(0, signal)).toBe(false);
    clock.mockReturnValue(701);
    expect(await throttled.mayStart(0, signal)).toBe(true);
  });

  it('reports no rate above its throttle, and a reason only under the automatic throttle', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const throttled = throttledTo('auto');
    throttled.automatic.observe({ read_milliseconds: 1, live_lag_seconds: 9 });
    for (const [index, trips] of [20, 100, 200].entries()) {
      clock.mockReturnValue((index + 1) * 2_000);
      throttled.onChunk(trips, 1);
    }
    const throttledBy = 'the live projections are 9.0 s behind';
    expect(throttled.rates()).toEqual({ current: 160 / 3, slowest: 10, fastest: 100, throttledBy });
    throttled.throttle = 40;
    expect(throttled.rates()).toEqual({ current: 40, slowest: 10, fastest: 40, throttledBy: null });
    throttled.throttle = 5;
    expect(throttled.rates()).toMatchObject({ current: 5, slowest: 5, fastest: 5 });
    throttled.throttle = 'off';
    expect(throttled.rates()).toMatchObject({ fastest: 100, throttledBy: null });
  });
});
