import { expect, it, vi } from 'vitest';
import { printList } from './lists.ts';

it('a list is printed up to its limit, even if this takes several requests', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const printed: number[] = [];
  await printList({ limit: 150 }, undefined, {
    maxPageLength: 100,
    async read({ limit = 0, before = 1_000 }) {
      const entries = Array.from({ length: Math.min(limit, 100) }, (_, index) => before - 1 - index);
      return { entries, next_before: entries.at(-1) ?? null };
    },
    noun: 'replays',
    print: (entries) => void printed.push(...entries),
  });
  expect(printed).toEqual(Array.from({ length: 150 }, (_, index) => 999 - index));
  expect(write.mock.calls).toEqual([['There are more than 150 replays: --before 850 shows the next page.\n']]);
});
