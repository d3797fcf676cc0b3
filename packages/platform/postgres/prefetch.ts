/** Yields the items from `source`. Requests the next item while the consumer processes the current one. */
export async function* prefetch<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (let next = items.next(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // The next iteration throws the error, which must not count as an unhandled rejection until then.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // The promise is not awaited, because the source may wait for something that never happens.
    void items.return?.();
  }
}
