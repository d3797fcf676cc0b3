import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WakeUp } from './wake-up.ts';

const A_MINUTE = 60_000;

describe('wake-up', () => {
  it('keeps a notification that arrives before the wait, so that no append is missed', async () => {
    const wakeUp = new WakeUp();
    wakeUp.notify();
    await expect(wakeUp.wait(A_MINUTE, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('ends a wait immediately on a notification', async () => {
    const wakeUp = new WakeUp();
    const waiting = wakeUp.wait(A_MINUTE, new AbortController().signal);
    wakeUp.notify();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('keeps no listener after a wait', async () => {
    const { signal } = new AbortController();
    const wakeUp = new WakeUp();
    for (let wait = 0; wait < 100; wait += 1) await wakeUp.wait(0, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends a wait when the process stops', async () => {
    const controller = new AbortController();
    const waiting = new WakeUp().wait(A_MINUTE, controller.signal);
    controller.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
