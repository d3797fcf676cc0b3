import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { StatusFeed } from './status-feed.ts';

const STATUS_BYTES = 100_000;
/**
 * The maximum number of buffered bytes. Each side of the stream, writable and readable, buffers up to the limit plus
 * the one status that exceeds it.
 */
const MAX_MEMORY_BYTES = 2 * (256 * 1024 + STATUS_BYTES + 100);

/** Returns a feed whose status contains the number of reads so far, and a function that returns this number. */
function countingFeed(pollMilliseconds: number, filling: object = {}) {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { reads, ...filling };
  };
  return { feed: new StatusFeed(read, () => {}, pollMilliseconds), reads: () => reads };
}

it('StatusFeed skips statuses for a listener that does not read, without affecting other listeners, until it reads again', async () => {
  const { feed, reads } = countingFeed(1, { filling: 'x'.repeat(STATUS_BYTES) });
  const [unread, attentive] = [feed.listen(), feed.listen()];
  let heard = 0;
  attentive.on('data', (chunk: Buffer) => {
    heard += chunk.length;
  });
  await vi.waitFor(() => expect(heard).toBeGreaterThan(30 * STATUS_BYTES), { timeout: 20_000 });
  const unreadBytes = unread.readableLength + Number(Reflect.get(unread, 'writableLength'));
  expect(unreadBytes).toBeGreaterThan(STATUS_BYTES);
  expect(unreadBytes).toBeLessThan(MAX_MEMORY_BYTES);
  const skipped = reads();
  const all = text(unread);
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(skipped + 5), { timeout: 20_000 });
  feed.close();
  const numbers = [...(await all).matchAll(/"reads":(\d+)/g)].map(([, number]) => Number(number));
  expect(numbers.at(-1)).toBeGreaterThan(skipped);
  expect(numbers.length).toBeLessThan(reads());
});

it('StatusFeed starts a stream with the latest status, and reads a new one after a time without streams', async () => {
  const { feed } = countingFeed(60_000);
  const first = feed.listen();
  expect(String((await once(first, 'data'))[0])).toContain('{"reads":1}');
  const second = feed.listen();
  expect(String((await once(second, 'data'))[0])).toContain('{"reads":1}');
  for (const stream of [first, second]) await once(stream.destroy(), 'close');
  const third = feed.listen();
  expect(String((await once(third, 'data'))[0])).toContain('{"reads":2}');
  feed.close();
});

it('StatusFeed continues for the other streams when one of them ends', async () => {
  const { feed, reads } = countingFeed(1);
  const [first, second] = [feed.listen(), feed.listen()];
  await once(first, 'data');
  await once(first.destroy(), 'close');
  expect(feed.listeners).toBe(1);
  const before = reads();
  second.resume();
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(before + 1), { timeout: 10_000 });
  feed.close();
});

it('StatusFeed reports a status that cannot be read, without its cause, and continues', async () => {
  let reads = 0;
  const faults: unknown[] = [];
  const failure = new Error('secret');
  const read = async () => {
    reads += 1;
    return reads === 1 ? await Promise.reject(failure) : { reads };
  };
  const feed = new StatusFeed(read, (error) => faults.push(error), 1);
  const stream = feed.listen();
  const heard: string[] = [];
  stream.on('data', (chunk: Buffer) => heard.push(String(chunk)));
  await vi.waitFor(() => expect(heard.join('')).toContain('event: status'), { timeout: 20_000 });
  expect(heard.join('')).toMatch(
    /^event: unavailable\ndata: \{"detail":"[^"]+"\}\n\nevent: status\ndata: \{"reads":2\}\n\n/,
  );
  expect(heard.join('')).not.toContain('secret');
  expect(faults).toEqual([failure]);
  expect(feed.listeners).toBe(1);
  feed.close();
  await vi.waitFor(() => expect(feed.listeners).toBe(0), { timeout: 20_000 });
});

it('StatusFeed does not publish a status that was requested for streams that have closed', async () => {
  const reads: PromiseWithResolvers<object>[] = [];
  const start = async () => {
    const read = Promise.withResolvers<object>();
    reads.push(read);
    return await read.promise;
  };
  const feed = new StatusFeed(start, () => {}, 60_000);
  await once(feed.listen().destroy(), 'close');
  const current = feed.listen();
  reads[1]?.resolve({ read: 'second' });
  expect(String((await once(current, 'data'))[0])).toContain('second');
  reads[0]?.resolve({ read: 'first' });
  await setImmediate();
  expect(String((await once(feed.listen(), 'data'))[0])).toContain('second');
  feed.close();
});
