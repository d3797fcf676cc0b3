import { list } from '@milepost/operations/replays';
import { expect, it, vi } from 'vitest';
import type { Client } from '../client/client.ts';
import { printEntries } from './lists.ts';

/** Responds to each request with a page of at most 100 entries. */
const client: Client = {
  async call(_operation, input) {
    const { limit, before = 1_000 } = Object(input);
    const replays = Array.from({ length: Math.min(limit, 100) }, (_, index) => ({ id: before - 1 - index }));
    return { status: 200, answer: JSON.parse(JSON.stringify({ replays, next_before: replays.at(-1)?.id ?? null })) };
  },
  inLane: () => client,
  async *readRecord() {},
  async [Symbol.asyncDispose]() {},
};

it('a list is printed up to its limit, even if this takes several requests', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const printed: number[] = [];
  const printList = (entries: readonly { id: number }[]) => void printed.push(...entries.map(({ id }) => id));
  await printEntries(client, list, {}, { limit: 150 }, { printList });
  expect(printed).toEqual(Array.from({ length: 150 }, (_, index) => 999 - index));
  expect(write.mock.calls).toEqual([['There are more than 150 replays: --before 850 shows the next page.\n']]);
});
