/** Runs `work` for all items, `workers` at a time. Does not start more items after a failure or an abort. */
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
