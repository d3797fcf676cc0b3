import { buffer } from 'node:stream/consumers';
import { snappyCompress } from '@platformatic/wasm-utils';
import { expect, it } from 'vitest';
import { compress } from '../../../../test/support/bombs.ts';
import { BlockTooLargeError, unpack } from './unpack.ts';

const TEXT = Buffer.from('Records repeat themselves, records repeat themselves. '.repeat(50_000));

/** Frames snappy blocks as Java's producers do: a magic number, two versions, then length-prefixed blocks. */
function framed(...blocks: Buffer[]): Buffer {
  const header = Buffer.concat([Buffer.from('\x82SNAPPY\0', 'latin1'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])]);
  const parts = blocks.flatMap((block) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    return [length, block];
  });
  return Buffer.concat([header, ...parts]);
}

it('unpack reads snappy as one block, as blocks in a frame, and as an empty frame', async () => {
  const halves = [TEXT.subarray(0, 30_000), TEXT.subarray(30_000)].map((half) => snappyCompress(half));
  expect((await buffer(unpack('snappy', snappyCompress(TEXT)))).equals(TEXT)).toBe(true);
  expect((await buffer(unpack('snappy', framed(...halves)))).equals(TEXT)).toBe(true);
  expect(await buffer(unpack('snappy', framed()))).toHaveLength(0);
});

it('unpack allocates no memory for a snappy block that declares gigabytes', async () => {
  // A length of 0xffffffff as a varint.
  const block = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]), snappyCompress(TEXT)]);
  for (const packed of [block, framed(snappyCompress(TEXT), block)]) {
    await expect(buffer(unpack('snappy', packed))).rejects.toThrow(BlockTooLargeError);
  }
});

/** Builds an LZ4 frame from `flags`, the code of the block size, and `parts`. */
function lz4Frame(flags: number, ...parts: (number | Buffer)[]): Buffer {
  const numbers = parts.map((part) => {
    if (Buffer.isBuffer(part)) return part;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(part);
    return bytes;
  });
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, flags, 0x40, 0]), ...numbers]);
}

// Sixteen blocks are unpacked together. In such a group, the referring block is the last, the first or a middle one.
it.each([15, 16, 20])(
  'unpack reads an LZ4 block that refers to the %i blocks before it, and skips checksums',
  async (blocks) => {
    const first = Buffer.from(TEXT.subarray(0, 64 * 1024));
    const stored = 0x80000000 + first.length;
    // A literal, a match of ten bytes at the maximum offset, and five literals.
    const referring = Buffer.from([0x16, 0x41, 0xff, 0xff, 0x50, 1, 2, 3, 4, 5]);
    const many = Array.from({ length: blocks }, () => [stored, first, 7]).flat();
    const frame = lz4Frame(0x50, ...many, referring.length, referring, 7, 0);
    const expected = [...Array.from({ length: blocks }, () => first), Buffer.from('A'), first.subarray(2, 12)];
    const unpacked = await buffer(unpack('lz4', frame));
    expect(unpacked.equals(Buffer.concat([...expected, Buffer.from([1, 2, 3, 4, 5])]))).toBe(true);
  },
);

it.each([
  [4, 64],
  [5, 256],
  [6, 1024],
  [7, 4 * 1024],
])(
  'unpack reads LZ4 blocks with the size code %i, for up to %i KiB, in a frame that states the size of its content',
  async (code, kib) => {
    const block = Buffer.alloc(kib * 1024, TEXT);
    const stored = 0x80000000 + block.length;
    const frame = lz4Frame(0x48, 0, 0, stored, block, stored, block, 0);
    // The content size takes eight bytes and is followed by the header's checksum.
    const head = Buffer.concat([frame.subarray(0, 5), Buffer.from([code << 4]), Buffer.alloc(8, 1), Buffer.from([0])]);
    const unpacked = await buffer(unpack('lz4', Buffer.concat([head, frame.subarray(15)])));
    expect(unpacked.equals(Buffer.concat([block, block]))).toBe(true);
  },
);

it.each([
  ['a dictionary', 0x41, 4],
  ['a block size without a code', 0x40, 3],
])('unpack refuses an LZ4 frame with %s, which it would unpack to wrong bytes', async (_, flags, code) => {
  const block = Buffer.from('block');
  const frame = lz4Frame(flags, 0x80000000 + block.length, block, 0);
  frame[5] = code << 4;
  await expect(buffer(unpack('lz4', frame))).rejects.toThrow('The LZ4 frame has an unknown header.');
});

it('unpack throws for bytes in another format and for truncated bytes', async () => {
  for (const codec of ['gzip', 'lz4', 'zstd'] as const) {
    await expect(buffer(unpack(codec, TEXT))).rejects.toThrow(Error);
    const packed = await compress(codec, [TEXT]);
    await expect(buffer(unpack(codec, packed.subarray(0, packed.length - 20)))).rejects.toThrow(Error);
  }
  await expect(buffer(unpack('snappy', framed(snappyCompress(TEXT)).subarray(0, 100)))).rejects.toThrow(Error);
});
