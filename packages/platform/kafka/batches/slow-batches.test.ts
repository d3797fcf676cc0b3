import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FetchedMessage } from './fetched-message.ts';
import { SlowBatches } from './slow-batches.ts';

const MEBIBYTE = 1024 * 1024;
let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.restoreAllMocks());

const batchOf = (offset: number) => Buffer.alloc(100, offset);
const messagesOf = (offset: number): FetchedMessage[] => [
  {
    ...{ magicByte: 2, attributes: 0, offset: String(offset), timestamp: '0', key: null, value: null, headers: {} },
    ...{ isControlRecord: false, batchContext: { producerId: '-1', inTransaction: false } },
  },
];

/** Reads batches, each in the given time and with the given size. Lists the offsets of those that are not cached. */
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

describe('a batch', () => {
  it('is cached when it takes half a second, and counts as much memory as before', async () => {
    const { read, take } = reading(new SlowBatches());
    expect([await take(1), await take(1), await take(1)]).toEqual([10, 10, 10]);
    await take(2, { milliseconds: 499 });
    await take(2, { milliseconds: 499 });
    expect(read).toEqual([1, 2, 2]);
  });

  it('is read again when there is no room for its messages, and stays in the cache', async () => {
    const { read, take } = reading(new SlowBatches());
    await take(1);
    await take(1, { room: 10 });
    expect(read).toEqual([1]);
    await take(1, { room: 9 });
    expect(read).toEqual([1, 1]);
    await take(1);
    expect(read).toEqual([1, 1]);
  });

  it('is cached for a minute', async () => {
    const slow = new SlowBatches();
    const { read, take } = reading(slow);
    await take(1);
    now = 500 + 60_000;
    slow.expire();
    await take(1);
    expect(read).toEqual([1]);
    now += 1;
    slow.expire();
    await take(1);
    expect(read).toEqual([1, 1]);
  });

  it('leaves the cache when later ones need its memory of 64 MiB', async () => {
    const { read, take } = reading(new SlowBatches());
    const bytes = 32 * MEBIBYTE;
    for (const offset of [1, 2, 1, 2]) await take(offset, { bytes });
    expect(read).toEqual([1, 2]);
    await take(3, { bytes: 1 });
    for (const offset of [3, 2, 1]) await take(offset, { bytes });
    expect(read).toEqual([1, 2, 3, 1]);
  });
});
