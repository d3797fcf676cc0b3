import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MoveRefusedError } from './errors.ts';
import { untilClear } from './wait.ts';

const { signal } = new AbortController();
let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('a move waits for several minutes while the awaited process advances', async () => {
  let reached = 0;
  const find = async () => {
    now += 40_000;
    reached += 1;
    return reached === 6 ? null : { reached, sentence: 'The projector does not run.' };
  };
  await expect(untilClear(find, signal)).resolves.toBeUndefined();
});

it('a move is refused when the awaited process stops for a minute after it has advanced', async () => {
  let reached = 0;
  const find = async () => {
    now += 40_000;
    reached = Math.min(reached + 1, 3);
    return { reached, sentence: 'The projector does not run.' };
  };
  await expect(untilClear(find, signal)).rejects.toThrow(new MoveRefusedError('The projector does not run.'));
  expect(now).toBe(5 * 40_000);
});

it('a move waits another minute when the number falls, because another move is in the way', async () => {
  const moves = [7, 7, 5, 5, null];
  const find = async () => {
    now += 40_000;
    const reached = moves.shift() ?? null;
    return reached === null ? null : { reached, sentence: 'Another move holds records.' };
  };
  await expect(untilClear(find, signal)).resolves.toBeUndefined();
});

it('a move waits for a whole minute, and no longer', async () => {
  let waits = 0;
  const find = async () => {
    waits += 1;
    if (waits === 2) now = 60_000;
    if (waits === 3) now = 60_001;
    return { reached: 0, sentence: 'The projector does not run.' };
  };
  await expect(untilClear(find, signal)).rejects.toThrow(MoveRefusedError);
  expect(waits).toBe(3);
});

it('a move that is stopped does not wait', async () => {
  const reason = new Error('stopped');
  const find = async () => await Promise.reject(new Error('The state was read.'));
  await expect(untilClear(find, AbortSignal.abort(reason))).rejects.toBe(reason);
});
