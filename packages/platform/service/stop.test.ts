import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aborted } from './stop.ts';

it('a process that is asked to stop before it waits for that does not wait', async () => {
  const first = await Promise.race([aborted(AbortSignal.abort()).then(() => 'stopped'), nextTurn('waits')]);
  expect(first).toBe('stopped');
});
