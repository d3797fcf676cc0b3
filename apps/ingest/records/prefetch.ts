/**
 * Yields the items of `source`. It requests the next item before the consumer is done with the current one, so the two
 * run concurrently.
 */
export async function* prefetch<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (let next = items.next(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // The next iteration throws the error. Until then, it must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // This is not awaited, because the source may wait for something that never happens.
    void items.return?.();
  }
}
