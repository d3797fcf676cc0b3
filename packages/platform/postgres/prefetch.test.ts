import { expect, it } from 'vitest';
import { prefetch } from './prefetch.ts';

/** Resolves when all pending work is done, except work that waits for a promise of this test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('a prefetched item is requested while the previous item is being processed, one item at a time', async () => {
  const asked: number[] = [];
  const ready = async function* () {
    for (let number = 1; number <= 4; number += 1) {
      asked.push(number);
      yield number;
    }
  };
  const seen: [item: number, asked: number][] = [];
  for await (const item of prefetch(ready())) {
    await settled();
    seen.push([item, asked.length]);
  }
  expect(seen).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 4],
  ]);
});

it('a prefetched item does not delay the item before it', async () => {
  const never = async function* () {
    yield 1;
    await new Promise(() => {});
  };
  expect(await prefetch(never()).next()).toEqual({ done: false, value: 1 });
});

it('a prefetched item rejects in its turn, after the items before it', async () => {
  const failing = async function* () {
    yield 1;
    throw new Error('fault');
  };
  const items = prefetch(failing());
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await settled();
  await expect(items.next()).rejects.toThrow('fault');
});

it('a prefetched item is the last one when the consumer stops, which closes the source of the items', async () => {
  let isClosed = false;
  const open = async function* () {
    try {
      for (;;) yield 1;
    } finally {
      isClosed = true;
    }
  };
  for await (const _ of prefetch(open())) break;
  await settled();
  expect(isClosed).toBe(true);
});
