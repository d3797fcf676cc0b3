import { describe, expect, it } from 'vitest';
import { FetchLimit, FetchQueue } from './fetch-queue.ts';

const MEBIBYTE = 1024 * 1024;

/** Builds a consumer that records which partitions are fetched. */
function fakeConsumer() {
  const fetched = new Set<number>();
  const each = (change: (partition: number) => void) => (names: { topic: string; partitions?: number[] }[]) => {
    for (const { partitions = [] } of names) partitions.forEach(change);
  };
  return {
    fetched,
    seek: () => {},
    pause: each((partition) => fetched.delete(partition)),
    resume: each((partition) => fetched.add(partition)),
  };
}

const recordsOf = (first: number, count: number, bytes = 10) =>
  Array.from({ length: count }, (_, index) => ({ offset: first + index, value: Buffer.alloc(bytes), timestamp: 1 }));

describe('the records fetched from a partition', () => {
  const queueOf = () => new FetchQueue(new FetchLimit(fakeConsumer()));

  /** Takes all batches. An empty queue waits for the next fetch, so the queue is made to fail once it is empty. */
  const shapeOf = async (queue: FetchQueue) => {
    const shapes: number[][] = [];
    const ended = new Error('all taken');
    setImmediate(() => queue.fail(ended));
    const take = async () => {
      for await (const { first, end, records } of queue) shapes.push([first, end, records.length]);
    };
    await expect(take()).rejects.toBe(ended);
    return shapes;
  };

  it('are combined into batches of up to 500 records or 4 MiB, except that a larger record has its own batch', async () => {
    const queue = queueOf();
    for (const offset of [0, 1]) queue.add(offset, offset + 1, recordsOf(offset, 1, 5 * MEBIBYTE));
    for (let first = 2; first < 1_202; first += 3) queue.add(first, first + 3, recordsOf(first, 3));
    queue.add(1_202, 1_212, recordsOf(1_202, 10, MEBIBYTE));
    expect(await shapeOf(queue)).toEqual([
      [0, 1, 1],
      [1, 2, 1],
      [2, 502, 500],
      [502, 1_002, 500],
      [1_002, 1_205, 203],
      [1_205, 1_208, 3],
      [1_208, 1_211, 3],
      [1_211, 1_212, 1],
    ]);
  });

  it('form a batch across missing offsets and control records of a fetch, but not across a gap between two fetches', async () => {
    const queue = queueOf();
    queue.add(5, 12, [...recordsOf(7, 1), ...recordsOf(9, 1)]);
    queue.add(12, 14, []);
    queue.add(16, 17, recordsOf(16, 1));
    expect(await shapeOf(queue)).toEqual([
      [5, 14, 2],
      [16, 17, 1],
    ]);
  });

  it('are awaited by the reader, and dropped when the queue has failed', async () => {
    const queue = queueOf();
    const items = queue[Symbol.asyncIterator]();
    const next = items.next();
    queue.add(0, 1, recordsOf(0, 1));
    expect(await next).toMatchObject({ value: { first: 0, end: 1 } });
    queue.add(1, 2, recordsOf(1, 1));
    queue.fail(new Error('fault'));
    await expect(items.next()).rejects.toThrow('fault');
  });
});

describe('the total bytes in the queues of all partitions', () => {
  it('pause all partitions at 24 MiB, and resume all at 16 MiB', async () => {
    const consumer = fakeConsumer();
    const limit = new FetchLimit(consumer);
    const partitions = [0, 1, 2].map((partition) => ({ topic: 'trips', partition }));
    for (const partition of partitions) limit.open(partition, 0);
    const [one, two] = [new FetchQueue(limit), new FetchQueue(limit)];
    one.add(0, 12, recordsOf(0, 12, MEBIBYTE));
    two.add(0, 11, recordsOf(0, 11, MEBIBYTE));
    expect([limit.isFull, [...consumer.fetched]]).toEqual([false, [0, 1, 2]]);
    two.add(11, 12, recordsOf(11, 1, MEBIBYTE));
    expect([limit.isFull, [...consumer.fetched]]).toEqual([true, []]);
    // A partition claimed at this point waits until the bytes decrease, and a closed partition is not fetched
    // again.
    limit.open({ topic: 'trips', partition: 3 }, 0);
    for (const closed of partitions.slice(0, 1)) limit.close(closed);
    const batches = one[Symbol.asyncIterator]();
    for (let taken = 0; taken < 2; taken += 1) {
      const { value } = await batches.next();
      expect(limit.isFull).toBe(true);
      one.release(value);
    }
    expect([limit.isFull, [...consumer.fetched]]).toEqual([true, []]);
    const [batch] = [await two[Symbol.asyncIterator]().next()];
    two.release(batch.value);
    expect([limit.isFull, [...consumer.fetched]]).toEqual([false, [1, 2, 3]]);
  });

  it('decrease once when a partition is closed, even if one of its batches is still being stored', async () => {
    const consumer = fakeConsumer();
    const limit = new FetchLimit(consumer);
    limit.open({ topic: 'trips', partition: 0 }, 0);
    const [one, two] = [new FetchQueue(limit), new FetchQueue(limit)];
    one.add(0, 20, recordsOf(0, 20, MEBIBYTE));
    two.add(0, 13, recordsOf(0, 13, MEBIBYTE));
    const { value } = await one[Symbol.asyncIterator]().next();
    one.fail(new Error('fenced'));
    one.release(value);
    one.add(20, 40, recordsOf(20, 20, MEBIBYTE));
    expect(limit.isFull).toBe(false);
    two.add(13, 23, recordsOf(13, 10, MEBIBYTE));
    expect(limit.isFull).toBe(false);
    two.add(23, 24, recordsOf(23, 1, MEBIBYTE));
    expect(limit.isFull).toBe(true);
  });

  it('decrease by the stored batches, and then by the rest of a queue that fails', async () => {
    const limit = new FetchLimit(fakeConsumer());
    for (let time = 0; time < 3; time += 1) {
      const queue = new FetchQueue(limit);
      queue.add(0, 20, recordsOf(0, 20, MEBIBYTE));
      const { value } = await queue[Symbol.asyncIterator]().next();
      queue.release(value);
      queue.fail(new Error('fault'));
    }
    const queue = new FetchQueue(limit);
    queue.add(0, 23, recordsOf(0, 23, MEBIBYTE));
    expect(limit.isFull).toBe(false);
    queue.add(23, 24, recordsOf(23, 1, MEBIBYTE));
    expect(limit.isFull).toBe(true);
  });

  it('are counted while the client has crashed and refuses every call', () => {
    const refuse = () => {
      throw new Error('The consumer has crashed.');
    };
    const limit = new FetchLimit({ seek: refuse, pause: refuse, resume: refuse });
    const partition = { topic: 'trips', partition: 0 };
    limit.open(partition, 0);
    const queue = new FetchQueue(limit);
    queue.add(0, 32, recordsOf(0, 32, MEBIBYTE));
    expect(limit.isFull).toBe(true);
    limit.close(partition);
    queue.fail(new Error('crashed'));
    expect([limit.isFull, limit.bytes]).toEqual([false, 0]);
  });

  it('include an overhead for each tiny record', () => {
    const limit = new FetchLimit(fakeConsumer());
    new FetchQueue(limit).add(0, 70_000, recordsOf(0, 70_000, 1));
    expect(limit.isFull).toBe(true);
  });
});
