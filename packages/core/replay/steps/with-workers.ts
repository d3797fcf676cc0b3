/**
 * Runs `work` for all items, `workers` at a time. Starts no further item after a failure, or when the signal aborts.
 */
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
