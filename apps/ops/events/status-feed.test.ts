import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { createStatusFeed } from './status-feed.ts';

const STATUS_BYTES = 100_000;
const stop = new AbortController();

/** Returns a feed whose status contains the number of reads so far, and a function that returns this number. */
function countingFeed(intervalMilliseconds: number, filling: object = {}, { signal } = stop) {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { reads, ...filling };
  };
  return { open: createStatusFeed(read, () => {}, signal, intervalMilliseconds), reads: () => reads };
}

async function nextOf(events: AsyncGenerator<string>): Promise<string> {
  return String((await events.next()).value);
}

it('a stream that is not being read skips statuses and buffers few, without affecting other streams', async () => {
  const { open, reads } = countingFeed(1, { filling: 'x'.repeat(STATUS_BYTES) });
  const [unread, attentive] = [Readable.from(open()), Readable.from(open())];
  let heard = 0;
  const events: string[] = [];
  attentive.on('data', () => {
    heard += 1;
  });
  unread.once('readable', () => {});
  await vi.waitFor(() => expect(heard).toBeGreaterThan(30), { timeout: 20_000 });
  expect(unread.readableLength).toBeLessThan(5);
  const skipped = reads();
  unread.on('data', (event: string) => events.push(event));
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(5), { timeout: 20_000 });
  expect(events.some((event) => event.includes(`"reads":${skipped - 10},`))).toBe(false);
  for (const stream of [unread, attentive]) stream.destroy();
});

it('a stream starts with the latest status, which one read gives to all streams', async () => {
  const { open, reads } = countingFeed(60_000);
  expect(await nextOf(open())).toBe('event: status\ndata: {"reads":1}\n\n');
  expect(await nextOf(open())).toContain('{"reads":1}');
  expect(reads()).toBe(1);
});

it('a stream starts with a new status after a time without streams', async () => {
  const { open } = countingFeed(1);
  expect(await nextOf(open())).toContain('{"reads":1}');
  await vi.waitFor(async () => expect(await nextOf(open())).toContain('{"reads":2}'));
});

it('all streams end when the server stops', async () => {
  const ending = new AbortController();
  const { open } = countingFeed(60_000, {}, ending);
  const streams = [open(), open()];
  for (const events of streams) await events.next();
  ending.abort();
  for (const events of streams) expect(await events.next()).toMatchObject({ done: true });
});

it('a status that cannot be read is reported without its cause, and the stream continues', async () => {
  const faults: unknown[] = [];
  const failure = new Error('secret');
  const read = vi.fn(async () => ({ reads: 2 })).mockRejectedValueOnce(failure);
  const events = createStatusFeed(read, (error) => faults.push(error), stop.signal, 1)();
  expect(await nextOf(events)).toMatch(/^event: unavailable\ndata: \{"detail":"(?!.*secret)[^"]+"\}\n\n$/);
  expect(await nextOf(events)).toBe('event: status\ndata: {"reads":2}\n\n');
  expect(faults).toEqual([failure]);
});
