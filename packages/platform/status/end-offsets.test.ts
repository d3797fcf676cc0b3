import { expect, it } from 'vitest';
import { readEndOffsets, topicsOf, withEndOffsets } from './end-offsets.ts';

it.each([
  ['is null, not zero, for a partition with an unknown end offset', 'milepost.trips', 0, 7, null, null],
  ['is the distance to the end offset of the same partition', 'milepost.trips', 1, 7, 10, 3],
  ['is zero, not negative, when ingest has read on since Kafka responded', 'milepost.trips', 2, 7, 5, 0],
  ['is zero for a file', 'file:trips.ndjson', 1, 7, 7, 0],
  ['is zero for a partition read to the end', 'milepost.trips', 1, 10, 10, 0],
  ['is the size of a partition that has not been read', 'milepost.trips', 1, 0, 10, 10],
  ['is zero for an empty partition', 'milepost.trips', 3, 0, 0, 0],
])("a source's lag %s", (_rule, topic, partition, next_offset, end_offset, lag) => {
  const ends = new Map(Object.entries({ 'milepost.trips/1': 10, 'milepost.trips/2': 5, 'milepost.trips/3': 0 }));
  const source = { topic, partition, next_offset };
  expect(withEndOffsets([source], ends)).toEqual([{ ...source, end_offset, lag }]);
});

it("a source's lag is known for topics that Kafka returned before it failed, and the failure is reported", async () => {
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
  expect(ends).toEqual(new Map(Object.entries({ 'first/0': 0, 'first/1': 0, 'second/0': 99, 'second/1': 99 })));
  expect([errors, disconnected]).toEqual([[failure], 1]);
});

// A name that Kafka refuses fails the whole request.
it("a source's lag is requested once for each topic with several partitions, and only for topics", () => {
  const sources = ['milepost.trips', 'milepost.trips', 'file:trips.ndjson', 'operator:erasures'];
  const partitions = sources.map((topic, partition) => ({ topic, partition, next_offset: 7 }));
  expect(topicsOf(partitions)).toEqual(['milepost.trips']);
});

it("a source's lag is known even if the connection to Kafka is lost before it is closed", async () => {
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
