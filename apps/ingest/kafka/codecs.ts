import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { lz4Decompress, snappyDecompress } from '@platformatic/wasm-utils';
import kafkajs from 'kafkajs';

// The client is no ES module, and Node does not find these two among its names.
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** How Java's producers begin a batch: blocks follow, each behind its length. Others send one block and no more. */
const XERIAL_MAGIC = Buffer.from('\x82SNAPPY\0', 'latin1');
/** The magic and two versions, four bytes each. */
const XERIAL_HEADER_BYTES = 16;

/** Unpacks snappy, in Java's framing or as one block. Exported for tests. */
export function unpackSnappy(packed: Buffer): Buffer {
  if (!packed.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return snappyDecompress(packed);
  const blocks: Buffer[] = [];
  for (let start = XERIAL_HEADER_BYTES; start < packed.length; ) {
    const end = start + 4 + packed.readUInt32BE(start);
    blocks.push(snappyDecompress(packed.subarray(start + 4, end)));
    start = end;
  }
  return Buffer.concat(blocks);
}

/** A codec of the client's; what is published from here is not compressed. */
function codec(name: string, unpack: (packed: Buffer) => Buffer | Promise<Buffer>) {
  const decompress = async (packed: Buffer) => {
    try {
      return await unpack(packed);
    } catch (cause) {
      throw new Error(`A batch compressed with ${name} is damaged and cannot be unpacked.`, { cause });
    }
  };
  return () => ({ decompress });
}

/**
 * Teaches the Kafka client, which knows gzip alone, what else producers compress with. The library is WebAssembly: what has
 * a binary for each platform comes as optional dependencies, which the container image leaves out.
 */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.Snappy] = codec('snappy', unpackSnappy);
  CompressionCodecs[CompressionTypes.LZ4] = codec('lz4', lz4Decompress);
  CompressionCodecs[CompressionTypes.ZSTD] = codec('zstd', promisify(zstdDecompress));
}
