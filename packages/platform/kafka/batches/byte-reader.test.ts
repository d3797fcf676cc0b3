import { expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';

async function* chunksOf(...chunks: number[][]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

it('ByteReader takes and skips bytes across chunks, and counts both', async () => {
  const reader = new ByteReader(chunksOf([1, 2], [], [3], [4, 5, 6, 7]));
  expect([...(await reader.take(1))]).toEqual([1]);
  expect([...(await reader.take(3))]).toEqual([2, 3, 4]);
  await reader.skip(2);
  expect(reader.at).toBe(6);
  expect([...(await reader.take(1))]).toEqual([7]);
  expect(await reader.take(0)).toHaveLength(0);
  await expect(reader.take(1)).rejects.toThrow('The bytes end at 7, before the last record does.');
  await expect(reader.skip(1)).rejects.toThrow('The bytes end at 7');
});

it.each([
  [[0x00], 0],
  [[0x01], -1],
  [[0x02], 1],
  [[0x7f], -64],
  [[0x80, 0x01], 64],
  [[0xfe, 0xff, 0xff, 0xff, 0x0f], 2 ** 31 - 1],
  [[0xff, 0xff, 0xff, 0xff, 0x0f], -(2 ** 31)],
])('ByteReader reads the zigzag-encoded integer %j', async (bytes, value) => {
  const reader = new ByteReader(chunksOf(...bytes.map((byte) => [byte])));
  expect(await reader.varint()).toBe(value);
  expect(reader.at).toBe(bytes.length);
});

it('ByteReader refuses an integer of more than ten bytes, and one that ends too early', async () => {
  const endless = Array.from({ length: 20 }, () => 0x80);
  await expect(new ByteReader(chunksOf(endless)).varint()).rejects.toThrow('The integer before byte 10 has more than');
  await expect(new ByteReader(chunksOf([0x80])).varint()).rejects.toThrow('The bytes end at 1');
});

it('ByteReader stops the source of its chunks, and does not hide an error of it', async () => {
  let isClosed = false;
  const source = async function* () {
    try {
      yield Buffer.from([1]);
      throw new Error('The codec fails.');
    } finally {
      isClosed = true;
    }
  };
  const closed = new ByteReader(source());
  await closed.take(1);
  await closed.close();
  expect(isClosed).toBe(true);
  const failing = new ByteReader(source());
  await failing.take(1);
  await expect(failing.take(1)).rejects.toThrow('The codec fails.');
});
