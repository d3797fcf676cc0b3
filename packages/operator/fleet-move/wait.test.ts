import { beforeEach, expect, it, vi } from 'vitest';
import { MoveRefusedError } from './errors.ts';
import { untilClear } from './wait.ts';

const { signal } = new AbortController();
let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

it('a move is refused when the awaited process advances and then stalls for a minute', async () => {
  let reached = 0;
  const find = async () => {
    now += 40_000;
    reached = Math.min(reached + 1, 3);
    return { reached, sentence: 'The projector is not running.' };
  };
  await expect(untilClear(find, signal)).rejects.toThrow(new MoveRefusedError('The projector is not running.'));
  expect(now).toBe(5 * 40_000);
});

it('a move waits another minute when the number falls, because a different move is then in the way', async () => {
  const moves = [7, 7, 5, 5, null];
  const find = async () => {
    now += 40_000;
    const reached = moves.shift() ?? null;
    return reached === null ? null : { reached, sentence: 'Another move is holding back records.' };
  };
  await expect(untilClear(find, signal)).resolves.toBeUndefined();
});

it('a move waits for a whole minute, and no longer', async () => {
  let waits = 0;
  const find = async () => {
    waits += 1;
    if (waits === 2) now = 60_000;
    if (waits === 3) now = 60_001;
    return { reached: 0, sentence: 'The projector is not running.' };
  };
  await expect(untilClear(find, signal)).rejects.toThrow(MoveRefusedError);
  expect(waits).toBe(3);
});
