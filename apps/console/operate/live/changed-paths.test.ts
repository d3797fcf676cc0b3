import { expect, it } from 'vitest';
import { changedPaths } from './changed-paths.ts';

const REPLAYS = ['/replays', '/replays/{id}'];
const DEAD_LETTERS = ['/dead-letters', '/dead-letters/summary'];
const figures = (replays: number, dead_letters: number) => ({ replays: Array.from({ length: replays }), dead_letters });

it('changedPaths names the replays until all of them have ended, and once more after that', () => {
  expect(changedPaths(figures(0, 3), figures(1, 3))).toEqual(REPLAYS);
  expect(changedPaths(figures(1, 3), figures(1, 3))).toEqual(REPLAYS);
  expect(changedPaths(figures(1, 3), figures(0, 3))).toEqual(REPLAYS);
  expect(changedPaths(figures(0, 3), figures(0, 3))).toEqual([]);
});

it('changedPaths names the dead letters when their number grows or falls', () => {
  expect(changedPaths(figures(0, 3), figures(0, 4))).toEqual(DEAD_LETTERS);
  expect(changedPaths(figures(0, 3), figures(0, 2))).toEqual(DEAD_LETTERS);
  expect(changedPaths(figures(0, 1), figures(0, 0))).toEqual(DEAD_LETTERS);
  expect(changedPaths(figures(2, 1), figures(2, 0))).toEqual([...REPLAYS, ...DEAD_LETTERS]);
});

it('changedPaths names the dead letters for the first status, because a view may have loaded them earlier', () => {
  expect(changedPaths(null, figures(0, 0))).toEqual(DEAD_LETTERS);
  expect(changedPaths(null, figures(1, 5))).toEqual([...REPLAYS, ...DEAD_LETTERS]);
});
