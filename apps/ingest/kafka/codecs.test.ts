import { snappyCompress } from '@platformatic/wasm-utils';
import kafkajs from 'kafkajs';
import { expect, it } from 'vitest';
import { registerCodecs, unpackSnappy } from './codecs.ts';

const TEXT = Buffer.from('Records repeat themselves, records repeat themselves. '.repeat(1_000));

/** As Java's producers frame snappy: magic, two versions, then blocks behind their lengths. */
function framed(...blocks: Buffer[]): Buffer {
  const header = Buffer.concat([Buffer.from('\x82SNAPPY\0', 'latin1'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])]);
  const parts = blocks.flatMap((block) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    return [length, block];
  });
  return Buffer.concat([header, ...parts]);
}

it('unpacks snappy as one block, as blocks in a frame, and as a frame without any', () => {
  const halves = [TEXT.subarray(0, 30_000), TEXT.subarray(30_000)].map((half) => snappyCompress(half));
  expect(unpackSnappy(snappyCompress(TEXT)).equals(TEXT)).toBe(true);
  expect(unpackSnappy(framed(...halves)).equals(TEXT)).toBe(true);
  expect(unpackSnappy(framed())).toHaveLength(0);
});

it('says of a damaged batch what it was compressed with', async () => {
  registerCodecs();
  for (const name of ['Snappy', 'LZ4', 'ZSTD'] as const) {
    const { decompress } = kafkajs.CompressionCodecs[kafkajs.CompressionTypes[name]]();
    await expect(decompress(TEXT)).rejects.toThrow(`compressed with ${name.toLowerCase()} is damaged`);
  }
});
