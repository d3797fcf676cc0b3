import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aborted } from './stop.ts';

it('waiting for a stop ends immediately if the process has already been asked to stop', async () => {
  const first = await Promise.race([aborted(AbortSignal.abort()).then(() => 'stopped'), nextTurn('waits')]);
  expect(first).toBe('stopped');
});
