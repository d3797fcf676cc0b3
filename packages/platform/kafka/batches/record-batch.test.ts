import { expect, it } from 'vitest';
import { batchOf, varint } from '../../../../test/support/bombs.ts';
import { type FetchedMessage, readBatch } from './record-batch.ts';

const FIRST_TIME = 1_736_900_000_000;
const FIRST_OFFSET = 5;
const LIMITS = { messageBytes: 1024 * 1024, unpackedBytes: 1024 * 1024 };

interface Given {
  timestampDelta?: number;
  key?: Buffer | null;
  value?: Buffer | null;
  /** False lengths to write into the record instead of the real ones. */
  stated?: { key?: number; value?: number };
}

function recordOf(offsetDelta: number, { timestampDelta = 0, key = null, value = null, stated = {} }: Given): Buffer {
  const body = Buffer.concat([
    Buffer.from([0]),
    varint(timestampDelta),
    varint(offsetDelta),
    ...[varint(stated.key ?? key?.length ?? -1), key ?? Buffer.alloc(0)],
    ...[varint(stated.value ?? value?.length ?? -1), value ?? Buffer.alloc(0)],
    varint(0),
  ]);
  return Buffer.concat([varint(body.length), body]);
}

function batch(attributes: number, given: Given[], fields = {}): Buffer {
  const records = given.map((each, index) => recordOf(index, each));
  return batchOf(Buffer.concat(records), { attributes, firstOffset: FIRST_OFFSET, records: given.length, ...fields });
}

const read = async (bytes: Buffer, limits = LIMITS): Promise<FetchedMessage[]> =>
  await readBatch(bytes, { ...limits }, true);

it('readBatch gives each record its publication time, or its append time if the broker sets that', async () => {
  const given = [{ timestampDelta: 0 }, { timestampDelta: 5_000 }, { timestampDelta: -3 }];
  const times = async (attributes: number) => {
    const bytes = batch(attributes, given, { maxTimestamp: FIRST_TIME + 9_000 });
    return (await read(bytes)).map(({ timestamp }) => timestamp - FIRST_TIME);
  };
  expect(await times(0)).toEqual([0, 5_000, -3]);
  expect(await times(0x08)).toEqual([9_000, 9_000, 9_000]);
});

it('readBatch marks control records and transactions, and keeps the keys of control records only', async () => {
  const given = { key: Buffer.from([0, 0, 0, 1]), value: Buffer.from('x') };
  const context = async (attributes: number) => {
    const [message] = await read(batch(attributes, [given], { producerId: 77 }));
    return [message?.isControlRecord, message?.batchContext, message?.key];
  };
  expect(await context(0)).toEqual([false, { producerId: '77', inTransaction: false }, null]);
  expect(await context(0x10)).toEqual([false, { producerId: '77', inTransaction: true }, null]);
  expect(await context(0x30)).toEqual([true, { producerId: '77', inTransaction: true }, given.key]);
});

it('readBatch skips the keys of records, and reads the values after them', async () => {
  const keys = [Buffer.from('four'), Buffer.from('fives'), Buffer.alloc(300, 'k'), Buffer.alloc(0), null];
  const given = keys.map((key, index) => ({ key, value: Buffer.from(`${index}`) }));
  const messages = await read(batch(0, given));
  expect(messages.map(({ value }) => value?.toString())).toEqual(['0', '1', '2', '3', '4']);
});

it.each([
  ['key', { key: Buffer.from('key'), stated: { key: 200 } }],
  ['value', { value: Buffer.from('value'), stated: { value: 200 } }],
])('readBatch refuses the rest of a batch from a record whose %s is longer than the record', async (part, given) => {
  const messages = await read(batch(0, [{ value: Buffer.from('before') }, given, { value: Buffer.alloc(500) }]));
  expect(messages.map(({ offset, value }) => [offset, value?.toString()])).toMatchObject([
    [5, 'before'],
    [6, undefined],
    [7, expect.any(String)],
  ]);
  const refusal = messages.at(-1)?.refusal;
  expect(refusal).toMatchObject({ reason: 'batch_unreadable' });
  expect(refusal?.message).toContain(`The ${part} at offset 6 is longer than its record.`);
  expect(refusal?.message).toContain('2 of its records, from offset 6 on, cannot be read');
});

it('readBatch keeps a value that ends where its record ends', async () => {
  const value = Buffer.from('value');
  // The record ends before its header count.
  const bytes = recordOf(0, { value }).subarray(1, -1);
  const packed = Buffer.concat([varint(bytes.length), bytes]);
  const [message] = await read(batchOf(packed, { attributes: 0, firstOffset: FIRST_OFFSET, records: 1 }));
  expect([message?.value?.toString(), message?.refusal]).toEqual(['value', undefined]);
});

it("readBatch unpacks no key beyond the limit, and refuses the batch from that key's record onward", async () => {
  const key = Buffer.alloc(100 * 1024);
  const bytes = batch(0, [{ value: Buffer.from('before') }, { key, value: Buffer.from('x') }]);
  const remaining = { ...LIMITS, unpackedBytes: 64 * 1024 };
  const messages = await readBatch(bytes, remaining, true);
  expect(messages.map(({ offset }) => offset)).toEqual([5, 6]);
  expect(messages.at(-1)?.refusal).toMatchObject({ reason: 'batch_too_large' });
  expect(remaining.unpackedBytes).toBeGreaterThan(63 * 1024);
  const enough = await read(bytes, { ...LIMITS, unpackedBytes: 101 * 1024 });
  expect(enough.map(({ value }) => value?.toString())).toEqual(['before', 'x']);
});

it('readBatch reduces the limits by what it has read of a batch, even when it refuses part of the batch', async () => {
  const bytes = batch(0, [{ value: Buffer.alloc(600) }, { value: Buffer.alloc(600) }]);
  const spent = async (messageBytes: number) => {
    const remaining = { messageBytes, unpackedBytes: 10_000 };
    await readBatch(bytes, remaining, true);
    return 10_000 - remaining.unpackedBytes;
  };
  // The batch's last byte, the header count of its last record, is not read.
  expect(await spent(LIMITS.messageBytes)).toBe(bytes.length - 61 - 1);
  expect(await spent(2_000)).toBe(bytes.length - 61 - 1 - 600);
});

it('readBatch leaves a batch for the next fetch when other batches have used its room', async () => {
  const bytes = batch(0, [{ value: Buffer.alloc(600) }, { value: Buffer.alloc(600) }]);
  for (const less of [{ messageBytes: 2_000 }, { unpackedBytes: 500 }]) {
    const remaining = { ...LIMITS, ...less };
    await expect(readBatch(bytes, { ...remaining }, false)).rejects.toMatchObject({ name: 'NoRoomError' });
    expect((await readBatch(bytes, remaining, true)).at(-1)?.refusal).toMatchObject({ reason: 'batch_too_large' });
  }
});

it('readBatch refuses a batch with a block that is too large, whether or not other batches have used its room', async () => {
  // A snappy block whose stated size, a varint, is 0xffffffff bytes.
  const packed = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]);
  const bytes = batchOf(packed, { attributes: 2, firstOffset: FIRST_OFFSET, records: 3 });
  for (const isWhole of [true, false]) {
    const messages = await readBatch(bytes, { ...LIMITS }, isWhole);
    expect(messages.map(({ offset, isControlRecord }) => [offset, isControlRecord])).toEqual([
      [5, true],
      [7, false],
    ]);
    const refusal = messages.at(-1)?.refusal;
    expect(refusal).toMatchObject({ reason: 'batch_too_large' });
    expect(refusal?.message).toContain('The unpacked size of a block in the batch is 4294967295 bytes');
  }
});

it('readBatch keeps the compressed bytes of an unreadable batch up to a limit, as a copy of the response', async () => {
  const LIMIT = 1024 * 1024 + 4096;
  const refused = async (packed: Buffer) => {
    const bytes = batchOf(packed, { attributes: 1, firstOffset: FIRST_OFFSET, records: 3 });
    const [first, last] = await read(bytes);
    expect([first?.offset, first?.isControlRecord, last?.offset]).toEqual([5, true, 7]);
    bytes.fill(0);
    return last;
  };
  expect(await refused(Buffer.alloc(LIMIT, 1))).toMatchObject({ value: Buffer.alloc(LIMIT, 1) });
  const dropped = await refused(Buffer.alloc(LIMIT + 1, 1));
  expect(dropped).toMatchObject({ value: null });
  expect(dropped?.refusal?.message).toMatch(/Its bytes are not kept\.$/);
});
