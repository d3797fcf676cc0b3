import { describe, expect, it } from 'vitest';
import { ahead } from './ahead.ts';

/** Lets everything run that does not wait for a promise of this test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is asked for ahead', () => {
  it('is made ready while the item in front of it is worked on, one and no more', async () => {
    const asked: number[] = [];
    const ready = async function* () {
      for (let number = 1; number <= 4; number += 1) {
        asked.push(number);
        yield number;
      }
    };
    const seen: [item: number, asked: number][] = [];
    for await (const item of ahead(ready())) {
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

  it('does not hold up an item that is ready while nothing follows it', async () => {
    const never = async function* () {
      yield 1;
      await new Promise(() => {});
    };
    expect(await ahead(never()).next()).toEqual({ done: false, value: 1 });
  });

  it('fails in its turn, behind what came before', async () => {
    const failing = async function* () {
      yield 1;
      throw new Error('fault');
    };
    const items = ahead(failing());
    expect(await items.next()).toEqual({ done: false, value: 1 });
    await settled();
    await expect(items.next()).rejects.toThrow('fault');
  });

  it('closes what it comes from when nobody wants more', async () => {
    let isClosed = false;
    const open = async function* () {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of ahead(open())) break;
    await settled();
    expect(isClosed).toBe(true);
  });
});
