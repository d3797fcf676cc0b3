import { describe, expect, it } from 'vitest';
import { readEndOffsets, topicsOf, withEndOffsets } from './end-offsets.ts';

describe("a source's lag", () => {
  it('is null, not zero, for a partition with an unknown end offset', () => {
    expect(withEndOffsets([{ topic: 'milepost.trips', partition: 0, next_offset: 7 }], new Map())).toEqual([
      { topic: 'milepost.trips', partition: 0, next_offset: 7, end_offset: null, lag: null },
    ]);
  });

  it('is the distance to the end offset of the same partition', () => {
    const ends = new Map([
      ['milepost.trips/0', 99],
      ['milepost.trips/1', 10],
    ]);
    const [source] = withEndOffsets([{ topic: 'milepost.trips', partition: 1, next_offset: 7 }], ends);
    expect(source).toMatchObject({ end_offset: 10, lag: 3 });
  });

  it('is zero, not negative, when ingest has read on since Kafka responded', () => {
    const ends = new Map([['milepost.trips/0', 5]]);
    const [source] = withEndOffsets([{ topic: 'milepost.trips', partition: 0, next_offset: 7 }], ends);
    expect(source).toMatchObject({ end_offset: 5, lag: 0 });
  });

  it('is zero for a file', () => {
    const [source] = withEndOffsets([{ topic: 'file:trips.ndjson', partition: 1, next_offset: 7 }], new Map());
    expect(source).toMatchObject({ end_offset: 7, lag: 0 });
  });

  it('is zero for a partition read to the end, and the size of a partition that has not been read', () => {
    const ends = new Map([['milepost.trips/0', 7]]);
    const lagAt = (next_offset: number) =>
      withEndOffsets([{ topic: 'milepost.trips', partition: 0, next_offset }], ends).map(({ lag }) => lag);
    expect([lagAt(7), lagAt(0)]).toEqual([[0], [7]]);
    const [empty] = withEndOffsets(
      [{ topic: 'milepost.trips', partition: 0, next_offset: 0 }],
      new Map([['milepost.trips/0', 0]]),
    );
    expect(empty).toMatchObject({ end_offset: 0, lag: 0 });
  });

  it('is requested once for each topic with several partitions', () => {
    const sources = [0, 1].map((partition) => ({ topic: 'milepost.trips', partition, next_offset: 7 }));
    expect(topicsOf(sources)).toEqual(['milepost.trips']);
  });

  it('is known for the topics that Kafka returned before it failed, and the failure is reported', async () => {
    const failure = new Error('The broker is away.');
    let disconnected = 0;
    const administration = {
      connect: async () => {},
      fetchTopicOffsets: async (topic: string) => {
        if (topic === 'third') throw failure;
        return [0, 1].map((partition) => ({ partition, high: topic === 'first' ? '0' : '99' }));
      },
      disconnect: async () => {
        disconnected += 1;
      },
    };
    const errors: unknown[] = [];
    const ends = await readEndOffsets(administration, ['first', 'second', 'third'], (error) => errors.push(error));
    expect([...ends]).toEqual([
      ['first/0', 0],
      ['first/1', 0],
      ['second/0', 99],
      ['second/1', 99],
    ]);
    expect([errors, disconnected]).toEqual([[failure], 1]);
  });

  it('is requested only for topics, because one name that Kafka refuses would fail the request for all', () => {
    const sources = ['milepost.trips', 'file:trips.ndjson', 'operator:erasures'];
    expect(topicsOf(sources.map((topic) => ({ topic, partition: 0, next_offset: 7 })))).toEqual(['milepost.trips']);
  });

  it('is known even if the connection to Kafka is lost before it is closed', async () => {
    const administration = {
      connect: async () => {},
      fetchTopicOffsets: async () => [{ partition: 0, high: '99' }],
      disconnect: async () => await Promise.reject(new Error('The connection is lost.')),
    };
    const errors: unknown[] = [];
    const reading = readEndOffsets(administration, ['milepost.trips'], (error) => errors.push(error));
    await expect(reading).resolves.toEqual(new Map([['milepost.trips/0', 99]]));
    expect(errors).toEqual([]);
  });
});
