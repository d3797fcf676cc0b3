/** Works on all items, so many at once; no more are begun once one has failed, or the signal is aborted. */
export async function withWorkers<Item>(
  items: readonly Item[],
  workers: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) {
      either.throwIfAborted();
      await work(item).catch((error: unknown) => {
        failure.abort(error);
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
