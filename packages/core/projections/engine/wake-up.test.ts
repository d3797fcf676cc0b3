import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WakeUp } from './run.ts';

const A_MINUTE = 60_000;

/** Whether a wait ends without a timer. */
async function endsAtOnce(waiting: Promise<void>): Promise<boolean> {
  return await Promise.race([waiting.then(() => true), nextTurn(false)]);
}

it('WakeUp keeps a notification that arrives before the wait, so that no append is missed', async () => {
  const wakeUp = new WakeUp();
  wakeUp.notify();
  const controller = new AbortController();
  expect(await endsAtOnce(wakeUp.wait(A_MINUTE, controller.signal))).toBe(true);
  expect(await endsAtOnce(wakeUp.wait(A_MINUTE, controller.signal))).toBe(false);
  controller.abort();
});

it('WakeUp ends a wait immediately on a notification', async () => {
  const wakeUp = new WakeUp();
  const waiting = wakeUp.wait(A_MINUTE, new AbortController().signal);
  wakeUp.notify();
  expect(await endsAtOnce(waiting)).toBe(true);
});

it('WakeUp ends a wait when the process stops', async () => {
  const controller = new AbortController();
  const waiting = new WakeUp().wait(A_MINUTE, controller.signal);
  controller.abort();
  expect(await endsAtOnce(waiting)).toBe(true);
});
