import { expect, it } from 'vitest';
import { withWorkers } from './with-workers.ts';

it('withWorkers starts no more items after a failure, even when another worker finishes its item', async () => {
  const started: string[] = [];
  const slow = Promise.withResolvers<void>();
  const finished = withWorkers(['a', 'b', 'c', 'd'], 2, new AbortController().signal, async (item) => {
    started.push(item);
    if (item === 'a') throw new Error('a failed');
    await slow.promise;
  });
  await expect(finished).rejects.toThrow('a failed');
  slow.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['a', 'b']);
});
