import { pipeline, Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, createZstdCompress } from 'node:zlib';
import { crc32c, lz4Compress, snappyCompress } from '@platformatic/wasm-utils';
import kafkajs, { type Kafka } from 'kafkajs';
import { sendTo } from './topics.ts';

const { CompressionCodecs, CompressionTypes } = kafkajs;

const CODECS = { gzip: 'GZIP', snappy: 'Snappy', lz4: 'LZ4', zstd: 'ZSTD' } as const;
export type Codec = keyof typeof CODECS;

/** The value of a record: a string, or a number of zero bytes. The record has a null key and no headers. */
export type Value = number | string;

const CHUNK_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** Encodes an integer in zigzag form with seven bits per byte, as in Kafka's record format. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** The uncompressed records section of a batch. */
export function* recordsOf(values: readonly Value[]): Generator<Buffer> {
  for (const [index, value] of values.entries()) {
    const length = typeof value === 'number' ? value : Buffer.byteLength(value);
    // Attributes, timestamp delta, offset delta, key length, value length.
    const head = Buffer.concat([Buffer.from([0, 0]), varint(index), varint(-1), varint(length)]);
    yield Buffer.concat([varint(head.length + length + 1), head]);
    if (typeof value === 'string') yield Buffer.from(value);
    else for (let rest = value; rest > 0; rest -= CHUNK_BYTES) yield ZEROS.subarray(0, rest);
    yield varint(0);
  }
}

async function throughStream(chunks: Iterable<Buffer>, compress: Transform): Promise<Buffer> {
  return await buffer(pipeline(Readable.from(chunks), compress, () => {}));
}

/** Compresses each block. Blocks of zeros are compressed only once. */
function* blocksOf(chunks: Iterable<Buffer>, compress: (chunk: Buffer) => Buffer): Generator<Buffer> {
  const zeros = compress(ZEROS);
  for (const chunk of chunks)
    yield chunk.buffer === ZEROS.buffer && chunk.length === CHUNK_BYTES ? zeros : compress(chunk);
}

const LZ4_HEADER_BYTES = 7;

/** Compresses chunk by chunk, so that the uncompressed bytes are never all in memory. */
export async function compress(codec: Codec, chunks: Iterable<Buffer>): Promise<Buffer> {
  switch (codec) {
    case 'gzip':
      return await throughStream(chunks, createGzip());
    case 'zstd':
      return await throughStream(chunks, createZstdCompress());
    case 'snappy': {
      const header = Buffer.concat([Buffer.from('\x82SNAPPY\0', 'latin1'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])]);
      const blocks = Array.from(
        blocksOf(chunks, (chunk) => snappyCompress(chunk)),
        (block) => {
          const length = Buffer.alloc(4);
          length.writeUInt32BE(block.length);
          return [length, block];
        },
      );
      return Buffer.concat([header, ...blocks.flat()]);
    }
    case 'lz4': {
      // The blocks from several frames are combined into one frame.
      const header = lz4Compress(ZEROS).subarray(0, LZ4_HEADER_BYTES);
      const blocks = blocksOf(chunks, (chunk) => {
        const frame = lz4Compress(chunk);
        const end = LZ4_HEADER_BYTES + 4 + (frame.readUInt32LE(LZ4_HEADER_BYTES) & 0x7fffffff);
        return frame.subarray(LZ4_HEADER_BYTES, end);
      });
      return Buffer.concat([header, ...blocks, Buffer.alloc(4)]);
    }
  }
}

/** Publishes one batch of `records` records. `packed` is their compressed form. */
export async function publishPacked(
  kafka: Kafka,
  batch: { topic: string; partition: number; codec: Codec; packed: Buffer; records: number },
): Promise<void> {
  const { topic, partition, codec, packed, records } = batch;
  const type = CompressionTypes[CODECS[codec]];
  const original = CompressionCodecs[type];
  CompressionCodecs[type] = () => ({ compress: async () => packed, decompress: async () => packed });
  try {
    const messages = Array.from({ length: records }, () => ({ value: '', partition }));
    await sendTo(kafka, { topic, messages, compression: type, timeout: 300_000 });
  } finally {
    CompressionCodecs[type] = original;
  }
}

const TIMESTAMP = 1_736_900_000_000;

interface BatchFields {
  attributes: number;
  firstOffset: number;
  records: number;
  maxTimestamp?: number;
  producerId?: number;
}

/** Returns a record batch in Kafka's format. */
export function batchOf(packed: Buffer, batch: BatchFields): Buffer {
  const header = Buffer.alloc(61);
  header.writeBigInt64BE(BigInt(batch.firstOffset), 0);
  header.writeInt32BE(49 + packed.length, 8);
  header.writeInt8(2, 16);
  header.writeInt16BE(batch.attributes, 21);
  header.writeInt32BE(batch.records - 1, 23);
  header.writeBigInt64BE(BigInt(TIMESTAMP), 27);
  header.writeBigInt64BE(BigInt(batch.maxTimestamp ?? TIMESTAMP), 35);
  header.writeBigInt64BE(BigInt(batch.producerId ?? -1), 43);
  header.writeInt32BE(batch.records, 57);
  const bytes = Buffer.concat([header, packed]);
  bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17);
  return bytes;
}
