import { crc32 } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { batchOf, type Codec, compress, recordsOf, type Value } from '../../../../test/support/bombs.ts';
import type { FetchedMessage } from '../batches/record-batch.ts';
import { FetchDecoder } from './fetch-decoder.ts';

const KIB = 1024;
const LIMITS = { messageBytes: 64 * KIB, unpackedBytes: 256 * KIB };
const ATTRIBUTES = { uncompressed: 0, gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const;

async function packedBatch(
  codec: Codec | 'uncompressed',
  firstOffset: number,
  values: readonly Value[],
  damage: (packed: Buffer) => Buffer = (packed) => packed,
): Promise<Buffer> {
  const isSmall = values.every((value) => typeof value === 'string');
  const chunks = isSmall ? [Buffer.concat([...recordsOf(values)])] : recordsOf(values);
  const packed = codec === 'uncompressed' ? Buffer.concat([...chunks]) : await compress(codec, chunks);
  return batchOf(damage(packed), { attributes: ATTRIBUTES[codec], firstOffset, records: values.length });
}

/**
 * Builds a broker's response as the client reads it, with the partitions' record sets, each prefixed with its length.
 */
function responseOf(...sets: Buffer[]) {
  const bytes = Buffer.concat(
    sets.flatMap((set) => {
      const size = Buffer.alloc(4);
      size.writeInt32BE(set.length);
      return [size, set];
    }),
  );
  let at = 0;
  const readBytes = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    readInt32: () => readBytes(4).readInt32BE(),
    canReadBytes: (length: number) => bytes.length - at >= length,
    readBytes,
  };
}

async function decodeAll(decoder: FetchDecoder, ...sets: Buffer[]): Promise<FetchedMessage[][]> {
  const response = responseOf(...sets);
  const partitions: FetchedMessage[][] = [];
  for (const _ of sets) partitions.push(await decoder.decode(response));
  return partitions;
}

async function decode(set: Buffer, limits = LIMITS): Promise<FetchedMessage[]> {
  const [messages = []] = await decodeAll(new FetchDecoder(limits), set);
  return messages;
}

/** For each message that the client passes on, returns the offset and the value or reason. Omits control records. */
function delivered(messages: readonly FetchedMessage[]) {
  return messages
    .filter(({ isControlRecord }) => !isControlRecord)
    .map((message) => `${message.offset} ${message.refusal?.reason ?? message.value}`);
}

const COMPRESSED = ['gzip', 'snappy', 'lz4', 'zstd'] as const;
const CODECS = ['uncompressed', ...COMPRESSED] as const;
/** The room for a value that is too long. */
const WIDE = { messageBytes: 1024 * KIB, unpackedBytes: 100 * KIB * KIB };
const LONG = 40 * KIB * KIB;
/** The values of twenty small records. */
const TWENTY = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100));
const cutOff = (packed: Buffer) => packed.subarray(0, packed.length - 30);

it.each(CODECS)(
  'FetchDecoder reads the batches of a partition up to one that the broker truncated: %s',
  async (codec) => {
    const batches = [
      await packedBatch(codec, 7, ['a', 'b']),
      await packedBatch(codec, 9, ['c'.repeat(5_000)]),
      await packedBatch(codec, 10, ['d']),
    ];
    const set = Buffer.concat(batches);
    expect(delivered(await decode(set.subarray(0, set.length - 1)))).toEqual(['7 a', '8 b', `9 ${'c'.repeat(5_000)}`]);
  },
);

it.each(CODECS)('FetchDecoder refuses the rest of a batch whose records exceed the memory limit: %s', async (codec) => {
  const values = Array.from({ length: 200 }, (_, index) => `${index}`);
  const messages = await decode(await packedBatch(codec, 1_000, values));
  const read = messages.length - 2;
  // Each message takes 512 bytes in addition to its value.
  expect(read).toBe(127);
  expect(delivered(messages)).toEqual([
    ...values.slice(0, read).map((value, index) => `${1_000 + index} ${value}`),
    '1199 batch_too_large',
  ]);
  // The client uses the offset of the first message, control record or not, as the beginning of the fetch.
  expect(messages[read]).toMatchObject({ offset: 1_000 + read, isControlRecord: true });
  const { message = '' } = messages.at(-1)?.refusal ?? {};
  expect(message).toContain(`73 of its records, from offset ${1_000 + read} on, cannot be read`);
  expect(message).toContain('offsets 1000 to 1199 in ');
});

it.each(COMPRESSED)('FetchDecoder keeps the beginning of a value that is too long: %s', async (codec) => {
  const messages = await decode(await packedBatch(codec, 0, ['before', LONG, 'behind']), WIDE);
  expect(delivered(messages)).toEqual(['0 before', '1 record_too_large', '2 behind']);
  expect(messages[1]?.value).toEqual(Buffer.alloc(64 * KIB));
});

it('FetchDecoder stops decompressing a batch at the limit, even if another record follows', async () => {
  const messages = await decode(await packedBatch('zstd', 0, ['before', LONG, LONG, LONG, 'behind']), WIDE);
  expect(delivered(messages)).toEqual([
    '0 before',
    '1 record_too_large',
    '2 record_too_large',
    '3 record_too_large',
    '4 batch_too_large',
  ]);
});

it.each(COMPRESSED)(
  'FetchDecoder refuses a batch that its producer wrote incorrectly, and reads the batch after it: %s',
  async (codec) => {
    const set = await packedBatch(codec, 5, TWENTY, cutOff);
    const behind = await packedBatch(codec, 25, ['behind']);
    const messages = delivered(await decode(Buffer.concat([set, behind])));
    expect(messages.slice(-2)).toEqual(['24 batch_unreadable', '25 behind']);
  },
);

it.each(CODECS)('FetchDecoder throws for a batch that was damaged after it was published: %s', async (codec) => {
  const set = await packedBatch(codec, 5, ['a'.repeat(100), 'b'.repeat(100)]);
  // One bit of a value, or of its compressed form.
  const at = set.length - 15;
  set[at] = (set[at] ?? 0) ^ 1;
  await expect(decode(set)).rejects.toThrow('The batch of offsets 5 to 6 does not match its checksum.');
});

it('FetchDecoder refuses the rest of a compacted batch from the offset after the last record that it has read', async () => {
  // Compaction has removed the first two records. Each record consists of its head, its value and its headers.
  const kept = Buffer.concat([...recordsOf(TWENTY)].slice(2 * 3));
  const set = batchOf(kept.subarray(0, kept.length - 1_000), { attributes: 0, firstOffset: 5, records: 20 });
  const messages = await decode(set);
  const read = messages.filter((message) => !message.isControlRecord && message.refusal === undefined);
  expect(read[0]?.offset).toBe(7);
  const next = (read.at(-1)?.offset ?? 0) + 1;
  expect(messages[read.length]).toMatchObject({ offset: next, isControlRecord: true });
  expect(messages.at(-1)?.refusal?.message).toContain(`from offset ${next} on`);
});

/** Extracts the reason, which begins with the codec, from the message about the only unreadable batch. */
async function corruptReason(set: Buffer): Promise<string | undefined> {
  const { message = '' } = (await decode(set)).at(-1)?.refusal ?? {};
  return /but its (.* data is corrupt: .*) It is a batch of offsets/.exec(message)?.[1];
}

it.each([1, 30, 600])(
  'FetchDecoder reports where the bytes of a batch end when %i bytes are missing, in one sentence',
  async (missing) => {
    const end = Buffer.concat([...recordsOf(TWENTY)]).length - missing;
    const set = await packedBatch('uncompressed', 5, TWENTY, (packed) => packed.subarray(0, end));
    // The last byte in a batch is its last record's number of headers, which is not read.
    const reason = `uncompressed data is corrupt: The bytes end at ${end}, before the end of the last record.`;
    expect(await corruptReason(set)).toBe(missing === 1 ? undefined : reason);
  },
);

it('FetchDecoder reports where the bytes of a batch end when they are unpacked in several chunks', async () => {
  const values = Array.from({ length: 20 }, (_, index) => `${index % 10}`.repeat(2_000));
  const records = cutOff(Buffer.concat([...recordsOf(values)]));
  const packed = await compress('gzip', [records]);
  const set = batchOf(packed, { attributes: ATTRIBUTES.gzip, firstOffset: 5, records: values.length });
  const reason = `gzip data is corrupt: The bytes end at ${records.length}, before the end of the last record.`;
  expect(await corruptReason(set)).toBe(reason);
});

it.each(COMPRESSED)('FetchDecoder ends the reason why a batch is unreadable with one full stop: %s', async (codec) => {
  for (const damage of [cutOff, () => Buffer.from('no data of a codec')]) {
    expect(await corruptReason(await packedBatch(codec, 5, TWENTY, damage))).toMatch(/[^.]\.$/);
  }
});

it('FetchDecoder omits the batches that exceed the limits of a response, and reads them if they come first', async () => {
  const decoder = new FetchDecoder(LIMITS);
  const values = Array.from({ length: 100 }, (_, index) => `${index}`);
  const large = await packedBatch('gzip', 0, values);
  const small = await packedBatch('gzip', 0, ['small']);
  // This batch is refused only if it alone exceeds the limit.
  const tooLarge = await packedBatch('gzip', 1, Array(200).fill(''));
  const counts = async (...sets: Buffer[]) => (await decodeAll(decoder, ...sets)).map(({ length }) => length);
  expect(await counts(large, large, small, large)).toEqual([100, 0, 1, 0]);
  expect(await counts(small, large, large)).toEqual([1, 100, 0]);
  expect(await counts(small, Buffer.concat([small, tooLarge]), tooLarge)).toEqual([1, 1, 0]);
});

it('FetchDecoder reads a slow batch only once, however often it is fetched', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 500;
    return now;
  });
  const decoder = new FetchDecoder(LIMITS);
  const values = Array.from({ length: 100 }, (_, index) => `${index}`);
  const batch = await packedBatch('gzip', 0, values);
  const [first] = await decodeAll(decoder, batch);
  const [again, cut] = await decodeAll(decoder, batch, batch);
  expect(again?.map((message, index) => message === first?.[index])).toEqual(values.map(() => true));
  // The batch uses as much memory as before.
  expect(cut).toEqual([]);
});

/** Builds a message in the format used before Kafka 0.11, with neither key nor value in version 0. */
function oldMessage(offset: number, magic: 0 | 1): Buffer {
  const checked = Buffer.from([magic, 0, ...(magic === 0 ? [] : [0, 0, 0, 0, 0, 0, 0, 9]), ...Array(8).fill(255)]);
  const front = Buffer.alloc(16);
  front.writeBigInt64BE(BigInt(offset), 0);
  front.writeInt32BE(checked.length + 4, 8);
  front.writeUInt32BE(crc32(checked), 12);
  return Buffer.concat([front, checked]);
}

it('FetchDecoder refuses each message of an old format with one dead letter, and reads the batch after it', async () => {
  const [zero, one] = [oldMessage(49, 0), oldMessage(51, 1)];
  const set = Buffer.concat([zero, one, await packedBatch('gzip', 52, ['after']), oldMessage(53, 0)]);
  const messages = await decode(set);
  expect(delivered(messages)).toEqual([
    '49 batch_unreadable',
    '51 batch_unreadable',
    '52 after',
    '53 batch_unreadable',
  ]);
  expect(messages.map(({ timestamp }) => timestamp).slice(0, 2)).toEqual([-1, 9]);
  expect(messages[1]?.value).toEqual(one);
  expect(messages[1]?.refusal?.message).toMatch(/at offset 51 has a format older than Kafka 0\.11/);
});

it('FetchDecoder throws for a batch whose version was damaged later, instead of refusing an old message', async () => {
  const batch = await packedBatch('gzip', 5, ['a']);
  batch.writeInt8(1, 16);
  await expect(decode(batch)).rejects.toThrow('The message at offset 5 does not match its checksum.');
});

it('FetchDecoder reads nothing of a record set that the response contains only in part', async () => {
  const set = await packedBatch('gzip', 5, ['a']);
  const canReadBytes = (length: number) => length <= set.length;
  const readBytes = (length: number) => set.subarray(0, length);
  const decodeOf = async (announced: number) =>
    await new FetchDecoder(LIMITS).decode({ readInt32: () => announced, canReadBytes, readBytes });
  expect(await decodeOf(set.length)).toHaveLength(1);
  expect(await decodeOf(set.length + 1)).toEqual([]);
});

it('FetchDecoder refuses a length field that is shorter than the header', async () => {
  const batch = Buffer.alloc(100);
  batch.writeInt8(2, 16);
  batch.writeInt32BE(48, 8);
  await expect(decode(batch)).rejects.toThrow('According to its length field, a batch is 60 bytes long');
});
