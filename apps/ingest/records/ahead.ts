/**
 * What `source` brings, each item asked for before the one in front of it is done with. So whoever works on an item does so
 * while the next one is made ready.
 */
export async function* ahead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (let next = items.next(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Thrown when its turn comes; until then it must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited: the source may wait for something that never comes.
    void items.return?.();
  }
}
