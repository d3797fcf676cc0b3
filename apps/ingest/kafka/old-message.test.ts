import { crc32, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { FetchDecoder } from './fetch-decoder.ts';
import { type FetchedMessage, refusalOf } from './fetched-message.ts';
import { readOldMessage } from './old-message.ts';

const MIB = 1024 * 1024;
const LIMITS = { messageBytes: MIB, unpackedBytes: 100 * MIB };
const GZIP = 1;

interface Given {
  magic?: 0 | 1;
  codec?: number;
  key?: Buffer | null;
  value: Buffer | null;
  timestamp?: number;
}

function withLength(bytes: Buffer | null): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes?.length ?? -1);
  return Buffer.concat([length, bytes ?? Buffer.alloc(0)]);
}

/** A message in the format before Kafka 0.11. */
function messageOf(offset: number, { magic = 1, codec = 0, key = null, value, timestamp = 9 }: Given): Buffer {
  const time = Buffer.alloc(magic === 0 ? 0 : 8);
  if (magic === 1) time.writeBigInt64BE(BigInt(timestamp));
  const checked = Buffer.concat([Buffer.from([magic, codec]), time, withLength(key), withLength(value)]);
  const front = Buffer.alloc(16);
  front.writeBigInt64BE(BigInt(offset), 0);
  front.writeInt32BE(checked.length + 4, 8);
  front.writeUInt32BE(crc32(checked), 12);
  return Buffer.concat([front, checked]);
}

const packedOf = (offset: number, inner: readonly Buffer[], given: Partial<Given> = {}) =>
  messageOf(offset, { ...given, codec: GZIP, value: gzipSync(Buffer.concat(inner)) });

const read = async (message: Buffer, limits = LIMITS, isWhole = true): Promise<FetchedMessage[]> =>
  await readOldMessage(message, { ...limits }, isWhole);

/** Decodes the response of a broker for one partition: the record set after its length. */
async function decodeResponse(bytes: Buffer, limits = LIMITS): Promise<FetchedMessage[]> {
  let at = 0;
  const readBytes = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return await new FetchDecoder(limits).decode({
    readInt32: () => readBytes(4).readInt32BE(),
    canReadBytes: (length) => bytes.length - at >= length,
    readBytes,
  });
}

const decode = async (set: Buffer, limits = LIMITS) => await decodeResponse(withLength(set), limits);

it('readOldMessage reads the time of a message and the value after its key, and no time in the oldest version', async () => {
  const given = { key: Buffer.from('a key'), value: Buffer.from('value'), timestamp: 1_736_900_000_123 };
  for (const magic of [0, 1] as const) {
    const timestamp = magic === 0 ? '-1' : '1736900000123';
    const expected = { magicByte: magic, timestamp, value: given.value };
    expect(await read(messageOf(7, { ...given, magic }))).toMatchObject([{ ...expected, offset: '7' }]);
    const inner = messageOf(magic === 0 ? 7 : 0, { ...given, magic });
    expect(await read(packedOf(7, [inner], { magic, timestamp: 5 }))).toMatchObject([{ ...expected, offset: '7' }]);
  }
});

it('readOldMessage counts the offsets inside a compacted message from the offset of its last one', async () => {
  const inner = [0, 3, 4].map((offset) => messageOf(offset, { value: Buffer.from(`${offset}`) }));
  const messages = await read(packedOf(60, inner));
  expect(messages.map(({ offset, value }) => [offset, value?.toString()])).toEqual([
    ['56', '0'],
    ['59', '3'],
    ['60', '4'],
  ]);
});

it('readOldMessage keeps the beginning of a value that is too long, and reads the messages after it', async () => {
  const long = messageOf(0, { value: Buffer.alloc(33 * MIB, 'x') });
  const inner = [long, messageOf(1, { value: Buffer.from('after') })];
  for (const messages of [await read(packedOf(8, inner)), await decode(Buffer.concat(inner))]) {
    expect(messages.map(({ value }) => value?.length)).toEqual([64 * 1024, 5]);
    expect(messages.map((message) => refusalOf(message)?.reason)).toEqual(['record_too_large', undefined]);
  }
});

it('readOldMessage refuses a compressed message before it unpacks a value beyond the limit', async () => {
  const value = Buffer.alloc(2 * MIB);
  const packed = packedOf(8, [messageOf(0, { value })]);
  const limits = { messageBytes: 3 * MIB, unpackedBytes: MIB };
  const room = { ...limits };
  const messages = await readOldMessage(packed, room, true);
  expect(messages.map((message) => [message.offset, refusalOf(message)?.reason])).toEqual([['8', 'batch_too_large']]);
  expect(room.unpackedBytes).toBeGreaterThan(MIB - 100);
  await expect(read(packed, limits, false)).rejects.toMatchObject({ name: 'NoRoomError' });
  // The header has 34 bytes: the value just fits.
  const enough = await read(packed, { ...limits, unpackedBytes: value.length + 34 });
  expect(enough.map((message) => [message.value?.length, refusalOf(message)])).toEqual([[value.length, undefined]]);
});

it('readOldMessage reduces the limits by what it has unpacked, even when it refuses the message', async () => {
  const inner = [0, 1].map((offset) => messageOf(offset, { value: Buffer.alloc(100) }));
  const unpacked = Buffer.concat(inner).length;
  for (const messageBytes of [LIMITS.messageBytes, 1_000]) {
    const room = { messageBytes, unpackedBytes: MIB };
    const messages = await readOldMessage(packedOf(8, inner), room, true);
    expect(messages).toHaveLength(messageBytes === 1_000 ? 1 : 2);
    expect(MIB - room.unpackedBytes).toBe(messageBytes === 1_000 ? unpacked - 100 : unpacked);
  }
});

it('FetchDecoder reads nothing of a record set that the response does not contain as a whole', async () => {
  const messages = [3, 4].map((offset) => messageOf(offset, { value: Buffer.from('a') }));
  const response = withLength(Buffer.concat(messages));
  expect(await decodeResponse(response)).toHaveLength(2);
  expect(await decodeResponse(response.subarray(0, -1))).toEqual([]);
});

it('FetchDecoder leaves a compressed message for the next fetch when the messages before it have used its room', async () => {
  const limits = { messageBytes: 3 * 600, unpackedBytes: MIB };
  const inner = [0, 1, 2].map((offset) => messageOf(offset, { value: Buffer.from(`${offset}`) }));
  const packed = packedOf(12, inner);
  const before = messageOf(9, { value: Buffer.from('before') });
  const values = async (set: Buffer) => (await decode(set, limits)).map(({ value }) => value?.toString());
  expect(await values(Buffer.concat([before, packed]))).toEqual(['before']);
  expect(await values(packed)).toEqual(['0', '1', '2']);
});

it('FetchDecoder reads the shortest message, which has neither key nor value, at the end of a partition', async () => {
  const set = Buffer.concat([
    messageOf(3, { magic: 0, value: Buffer.from('a') }),
    messageOf(4, { magic: 0, value: null }),
  ]);
  const messages = await decode(set);
  expect(messages.map(({ offset, value }) => [offset, value?.toString() ?? null])).toEqual([
    ['3', 'a'],
    ['4', null],
  ]);
});

it('FetchDecoder refuses a length field that is shorter than the header of its format', async () => {
  const old = messageOf(3, { value: Buffer.alloc(100) });
  old.writeInt32BE(13, 8);
  await expect(decode(old)).rejects.toThrow('The length field of a batch is 25 bytes, which is less than its header.');
  const batch = Buffer.alloc(100);
  batch.writeInt8(2, 16);
  batch.writeInt32BE(48, 8);
  await expect(decode(batch)).rejects.toThrow('The length field of a batch is 60 bytes');
});
