import { beforeEach, expect, it, vi } from 'vitest';
import { BATCH_HEADER_BYTES, type FetchedMessage } from '../batches/record-batch.ts';
import { SlowBatches } from './slow-batches.ts';

const MEBIBYTE = 1024 * 1024;
let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

/** All batches have the same header, including its checksum. */
const batchOf = (offset: number) => Buffer.alloc(100).fill(offset, BATCH_HEADER_BYTES);
const messagesOf = (offset: number): FetchedMessage[] => [
  {
    ...{ offset, timestamp: 0, key: null, value: null },
    ...{ isControlRecord: false, batchContext: { producerId: '-1', inTransaction: false } },
  },
];

/** Reads batches of a given size, each of which takes a given time. Lists the offsets of uncached batches. */
function reading(slow: SlowBatches) {
  const read: number[] = [];
  const take = async (offset: number, { milliseconds = 500, bytes = 10, room = 100 * MEBIBYTE } = {}) => {
    const rest = { messageBytes: room, unpackedBytes: room };
    const messages = await slow.read(batchOf(offset), rest, async () => {
      read.push(offset);
      now += milliseconds;
      rest.messageBytes -= bytes;
      return messagesOf(offset);
    });
    expect(messages).toEqual(messagesOf(offset));
    return room - rest.messageBytes;
  };
  return { read, take };
}

it('a batch is cached when it takes half a second, and counts as much memory as before', async () => {
  const { read, take } = reading(new SlowBatches());
  expect([await take(1), await take(1), await take(1)]).toEqual([10, 10, 10]);
  await take(2, { milliseconds: 499 });
  await take(2, { milliseconds: 499 });
  expect(read).toEqual([1, 2, 2]);
});

it('a batch is read again when there is no room for its messages, and stays in the cache', async () => {
  const { read, take } = reading(new SlowBatches());
  await take(1);
  await take(1, { room: 10 });
  expect(read).toEqual([1]);
  await take(1, { room: 9 });
  expect(read).toEqual([1, 1]);
  await take(1);
  expect(read).toEqual([1, 1]);
});

it('a batch is not taken for another batch with the same header and checksum', async () => {
  const { read, take } = reading(new SlowBatches());
  for (const offset of [1, 2, 1, 2]) await take(offset);
  expect(read).toEqual([1, 2]);
});

it('a batch is cached for a minute', async () => {
  const slow = new SlowBatches();
  const { read, take } = reading(slow);
  await take(1);
  now = 500 + 60_000;
  await take(1);
  expect(read).toEqual([1]);
  now += 1;
  await take(1);
  expect(read).toEqual([1, 1]);
});

it('a batch leaves the cache of 64 MiB when later batches need its memory', async () => {
  const { read, take } = reading(new SlowBatches());
  const bytes = 32 * MEBIBYTE - batchOf(0).length;
  for (const offset of [1, 2, 1, 2]) await take(offset, { bytes });
  expect(read).toEqual([1, 2]);
  await take(3, { bytes: 1 });
  for (const offset of [3, 2, 1]) await take(offset, { bytes });
  expect(read).toEqual([1, 2, 3, 1]);
});
