import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { batchOf, type Codec, compress, recordsOf, type Value } from '../../../test/support/bombs.ts';
import { FetchDecoder } from './fetch-decoder.ts';
import { type FetchedMessage, refusalOf } from './fetched-message.ts';
import { SlowBatches } from './slow-batches.ts';

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
 * Builds the response of a broker as the client reads it. It contains the record sets of the partitions, each prefixed
 * with its length.
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

/** Returns the messages that the client passes on, without control records. */
function delivered(messages: readonly FetchedMessage[]) {
  return messages
    .filter(({ isControlRecord }) => !isControlRecord)
    .map((message) => [Number(message.offset), refusalOf(message)?.reason ?? message.value?.toString() ?? null]);
}

const CODECS = ['uncompressed', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

it.each(CODECS)(
  'FetchDecoder reads the batches of a partition, up to one that the broker truncated: %s',
  async (codec) => {
    const batches = [
      await packedBatch(codec, 7, ['a', 'b']),
      await packedBatch(codec, 9, ['c'.repeat(5_000)]),
      await packedBatch(codec, 10, ['d']),
    ];
    const set = Buffer.concat(batches);
    expect(delivered(await decode(set.subarray(0, set.length - 1)))).toEqual([
      [7, 'a'],
      [8, 'b'],
      [9, 'c'.repeat(5_000)],
    ]);
  },
);

it.each(CODECS)('FetchDecoder refuses the rest of a batch whose records exceed the memory limit: %s', async (codec) => {
  const values = Array.from({ length: 200 }, (_, index) => `${index}`);
  const messages = await decode(await packedBatch(codec, 1_000, values));
  const refused = messages.at(-1);
  const read = messages.length - 2;
  // Each takes 512 bytes in addition to its value.
  expect(read).toBe(127);
  expect(delivered(messages)).toEqual([
    ...values.slice(0, read).map((value, index) => [1_000 + index, value]),
    [1_199, 'batch_too_large'],
  ]);
  // The client uses the offset of the first message, control record or not, as the beginning of the fetch.
  expect(messages[read]).toMatchObject({ offset: String(1_000 + read), isControlRecord: true });
  const { message = '' } = refusalOf(refused ?? {}) ?? {};
  expect(message).toContain(`73 of its records, from offset ${1_000 + read} on, cannot be read`);
  expect(message).toContain('offsets 1000 to 1199 in ');
});

it.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
  'FetchDecoder keeps the beginning of a value that is too long: %s',
  async (codec) => {
    const long = 40 * KIB * KIB;
    const limits = { messageBytes: 1024 * KIB, unpackedBytes: 100 * KIB * KIB };
    const messages = await decode(await packedBatch(codec, 0, ['before', long, 'behind']), limits);
    expect(delivered(messages)).toEqual([
      [0, 'before'],
      [1, 'record_too_large'],
      [2, 'behind'],
    ]);
    expect(messages[1]?.value?.equals(Buffer.alloc(64 * KIB))).toBe(true);
  },
);

it('FetchDecoder stops decompressing a batch at the limit, even if another record follows', async () => {
  const long = 40 * KIB * KIB;
  const limits = { messageBytes: 1024 * KIB, unpackedBytes: 100 * KIB * KIB };
  const messages = await decode(await packedBatch('zstd', 0, ['before', long, long, long, 'behind']), limits);
  expect(delivered(messages)).toEqual([
    [0, 'before'],
    [1, 'record_too_large'],
    [2, 'record_too_large'],
    [3, 'record_too_large'],
    [4, 'batch_too_large'],
  ]);
});

it('FetchDecoder produces at most one dead letter for a refused batch of a million records', async () => {
  const values = Array.from({ length: 1_000_000 }, () => '');
  const messages = await decode(await packedBatch('zstd', 0, values));
  expect(messages.length).toBe(128 + 2);
  expect(delivered(messages).at(-1)).toEqual([999_999, 'batch_too_large']);
});

it.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
  'FetchDecoder refuses a batch that its producer wrote incorrectly, and throws for a batch that was damaged later: %s',
  async (codec) => {
    const cutOff = (packed: Buffer) => packed.subarray(0, packed.length - 30);
    const values = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100));
    const set = await packedBatch(codec, 5, values, cutOff);
    const behind = await packedBatch(codec, 25, ['behind']);
    const messages = delivered(await decode(Buffer.concat([set, behind])));
    expect(messages.slice(-2)).toEqual([
      [24, 'batch_unreadable'],
      [25, 'behind'],
    ]);
    set[set.length - 1] = (set.at(-1) ?? 0) ^ 1;
    await expect(decode(set)).rejects.toThrow('The batch of offsets 5 to 24 does not match its checksum.');
  },
);

it('FetchDecoder refuses the rest of a compacted batch from the offset after the last record that it has read', async () => {
  const values = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100));
  // Compaction has removed the first two records. Each record consists of its head, its value and its headers.
  const kept = Buffer.concat([...recordsOf(values)].slice(2 * 3));
  const set = batchOf(kept.subarray(0, kept.length - 1_000), { attributes: 0, firstOffset: 5, records: 20 });
  const messages = await decode(set);
  const read = messages.filter((message) => !message.isControlRecord && refusalOf(message) === undefined);
  expect(read[0]?.offset).toBe('7');
  const next = String(Number(read.at(-1)?.offset) + 1);
  expect(messages[read.length]).toMatchObject({ offset: next, isControlRecord: true });
  expect(refusalOf(messages.at(-1) ?? {})?.message).toContain(`from offset ${next} on`);
});

/** Returns the reason in the message about the only unreadable batch, from the codec to the end of the sentence. */
async function corruptReason(set: Buffer): Promise<string | undefined> {
  const { message = '' } = refusalOf((await decode(set)).at(-1) ?? {}) ?? {};
  return /but its (.* data is corrupt: .*) It is a batch of offsets/.exec(message)?.[1];
}

it.each([1, 30, 600])(
  'FetchDecoder reports where the bytes of a batch end when %i bytes are missing, in one sentence',
  async (missing) => {
    const values = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100));
    const { length } = Buffer.concat([...recordsOf(values)]);
    const set = await packedBatch('uncompressed', 5, values, (packed) => packed.subarray(0, length - missing));
    const end = length - missing;
    // The last byte of a batch is the number of headers of its last record, which is not read.
    const reason = `uncompressed data is corrupt: The bytes end at ${end}, before the last record does.`;
    expect(await corruptReason(set)).toBe(missing === 1 ? undefined : reason);
  },
);

it('FetchDecoder reports where the bytes of a batch end when they are unpacked in several chunks', async () => {
  const values = Array.from({ length: 20 }, (_, index) => `${index % 10}`.repeat(2_000));
  const cutOff = Buffer.concat([...recordsOf(values)]).subarray(0, -30);
  const packed = await compress('gzip', [cutOff]);
  const set = batchOf(packed, { attributes: ATTRIBUTES.gzip, firstOffset: 5, records: values.length });
  const reason = `gzip data is corrupt: The bytes end at ${cutOff.length}, before the last record does.`;
  expect(await corruptReason(set)).toBe(reason);
});

it.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
  'FetchDecoder ends the reason why a batch is unreadable with one full stop: %s',
  async (codec) => {
    const values = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100));
    const cutOff = await packedBatch(codec, 5, values, (packed) => packed.subarray(0, packed.length - 30));
    const noData = await packedBatch(codec, 5, values, () => Buffer.from('no data of a codec'));
    for (const set of [cutOff, noData]) expect(await corruptReason(set)).toMatch(/[^.]\.$/);
  },
);

it('FetchDecoder reads every partition in turn, even if one has more data than a response may contain', async () => {
  const decoder = new FetchDecoder(LIMITS);
  const values = Array.from({ length: 100 }, (_, index) => `${index}`);
  const large = await packedBatch('gzip', 0, values);
  const small = await packedBatch('gzip', 0, ['small']);
  const counts = async (...sets: Buffer[]) => (await decodeAll(decoder, ...sets)).map(({ length }) => length);
  expect(await counts(large, large, small, large)).toEqual([100, 0, 1, 0]);
  expect(await counts(large, large, small, large)).toEqual([0, 100, 1, 0]);
  expect(await counts(large, large, small, large)).toEqual([0, 0, 0, 100]);
  expect(await counts(large, large, small, large)).toEqual([100, 0, 1, 0]);
  // The batches before the one that does not fit are returned. A batch is refused only if it exceeds the limit on its
  // own.
  const set = Buffer.concat([
    small,
    await packedBatch(
      'gzip',
      1,
      Array.from({ length: 200 }, () => ''),
    ),
  ]);
  expect(await counts(small, set)).toEqual([0, 1]);
});

it('FetchDecoder reads a slow batch only once, however often it is fetched', async () => {
  const decoder = new FetchDecoder(LIMITS, new SlowBatches(0));
  const values = Array.from({ length: 100 }, (_, index) => `${index}`);
  const batch = await packedBatch('gzip', 0, values);
  const [first] = await decodeAll(decoder, batch);
  const [again, cut] = await decodeAll(decoder, batch, batch);
  expect(again?.map((message, index) => message === first?.[index])).toEqual(values.map(() => true));
  // It uses as much memory as before.
  expect(cut).toEqual([]);
  // Another batch with the same header is a different batch.
  batch[batch.length - 1] = (batch.at(-1) ?? 0) ^ 1;
  await expect(decodeAll(decoder, Buffer.alloc(0), batch)).rejects.toThrow('does not match its checksum');
});

/** Builds a message in the format before Kafka 0.11. */
function oldMessage(offset: number, magic: 0 | 1, codec: number, value: Buffer): Buffer {
  const head = Buffer.from([magic, codec, ...(magic === 0 ? [] : [0, 0, 0, 0, 0, 0, 0, 9]), 255, 255, 255, 255]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  const checked = Buffer.concat([head, length, value]);
  const front = Buffer.alloc(16);
  front.writeBigInt64BE(BigInt(offset), 0);
  front.writeInt32BE(checked.length + 4, 8);
  front.writeUInt32BE(crc32(checked), 12);
  return Buffer.concat([front, checked]);
}

it.each([0, 1] as const)(
  'FetchDecoder reads messages of the old format within the same limits: version %s',
  async (magic) => {
    const offsetOf = (index: number) => (magic === 0 ? 50 + index : index);
    const wrap = async (count: number) => {
      const inner = Array.from({ length: count }, (_, index) =>
        oldMessage(offsetOf(index), magic, 0, Buffer.from(`${index}`)),
      );
      return await compress('gzip', inner);
    };
    const plain = oldMessage(49, magic, 0, Buffer.from('plain'));
    const few = oldMessage(51, magic, 1, await wrap(2));
    const many = oldMessage(249, magic, 1, await wrap(200));
    const broken = oldMessage(250, magic, 1, (await wrap(2)).subarray(0, -20));
    expect(delivered(await decode(Buffer.concat([plain, few])))).toEqual([
      [49, 'plain'],
      [50, '0'],
      [51, '1'],
    ]);
    expect(delivered(await decode(many))).toEqual([[249, 'batch_too_large']]);
    expect(delivered(await decode(Buffer.concat([broken, plain])))).toEqual([
      [250, 'batch_unreadable'],
      [49, 'plain'],
    ]);
    broken[13] = (broken.at(13) ?? 0) ^ 1;
    await expect(decode(broken)).rejects.toThrow('The message at offset 250 does not match its checksum.');
  },
);

it.each([0, 1] as const)(
  'FetchDecoder ends the reason why an old message is unreadable with one full stop: version %s',
  async (magic) => {
    const inner = oldMessage(7, magic, 0, Buffer.from('inner'));
    const cutOff = inner.subarray(0, -3);
    const nested = oldMessage(7, magic, 1, inner);
    const reasons: (string | undefined)[] = [];
    for (const content of [cutOff, nested]) {
      reasons.push(await corruptReason(oldMessage(7, magic, 1, await compress('gzip', [content]))));
    }
    expect(reasons).toEqual([
      `gzip data is corrupt: The bytes end at ${cutOff.length}, before the last record does.`,
      'gzip data is corrupt: A message within a compressed message is compressed.',
    ]);
  },
);
