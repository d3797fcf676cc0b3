import { expect, it } from 'vitest';
import { withWorkers } from './with-workers.ts';

/** Starts workers whose items end only when the test ends them. */
function startWorkers(items: readonly string[], workers: number) {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const controller = new AbortController();
  const finished = withWorkers(items, workers, controller.signal, async (item) => {
    started.push(item);
    const end = Promise.withResolvers<void>();
    ends.set(item, end);
    await end.promise;
  });
  const outcome = finished.then(
    () => 'done',
    (error: Error) => error.message,
  );
  return {
    started,
    outcome,
    stop: () => controller.abort(new Error('stopped')),
    /** Ends an item and lets the workers take their next ones. */
    end: async (item: string, error?: Error) => {
      if (error) ends.get(item)?.reject(error);
      else ends.get(item)?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('withWorkers runs each item once, and as many items at the same time as there are workers', async () => {
  const { started, outcome, end } = startWorkers(['a', 'b', 'c', 'd'], 2);
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  for (const item of ['a', 'c', 'd']) await end(item);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(await outcome).toBe('done');
});

it('withWorkers starts no further item after a failure, even when another worker finishes its item', async () => {
  const { started, outcome, end } = startWorkers(['a', 'b', 'c', 'd'], 2);
  await end('a', new Error('a failed'));
  expect(await outcome).toBe('a failed');
  await end('b');
  expect(started).toEqual(['a', 'b']);
});

it('withWorkers starts no further item after an abort', async () => {
  const { started, outcome, end, stop } = startWorkers(['a', 'b', 'c'], 2);
  stop();
  await end('a');
  await end('b');
  expect(started).toEqual(['a', 'b']);
  expect(await outcome).toBe('stopped');
});
