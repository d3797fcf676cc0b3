import { pipeline, Readable, type Transform } from 'node:stream';
import { createUnzip, createZstdDecompress } from 'node:zlib';
import { lz4Decompress, snappyDecompress } from '@platformatic/wasm-utils';

/** The codecs, by their number in a batch's attributes. */
export const CODECS = ['uncompressed', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
export type Codec = (typeof CODECS)[number];

/** The maximum size of a snappy block, which is decompressed as a whole. Producers do not send larger blocks. */
const MAX_SNAPPY_BLOCK_BYTES = 64 * 1024 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** The estimated compression ratio. Most JSON batches have a lower ratio. */
const DEFAULT_RATIO = 8;

/** The uncompressed size of a block exceeds the limit of this process. */
export class BlockTooLargeError extends Error {
  override name = 'BlockTooLargeError';

  constructor(bytes: number) {
    super(`The unpacked size of a block in the batch is ${bytes} bytes; the maximum is ${MAX_SNAPPY_BLOCK_BYTES}.`);
  }
}

/**
 * Java producers begin a batch with these magic bytes. Blocks follow, each preceded by its length. Other producers send
 * a single block without this header.
 */
const XERIAL_MAGIC = Buffer.from('\x82SNAPPY\0', 'latin1');
/** The magic bytes and two versions of four bytes each. */
const XERIAL_HEADER_BYTES = 16;

function snappyBlock(block: Buffer): Buffer {
  // The block begins with its uncompressed size, which the decoder allocates immediately, even if the size is wrong.
  let size = 0;
  for (const [index, byte] of block.subarray(0, 5).entries()) {
    size += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) break;
  }
  if (size > MAX_SNAPPY_BLOCK_BYTES) throw new BlockTooLargeError(size);
  return snappyDecompress(block);
}

function* unpackSnappy(packed: Buffer): Generator<Buffer> {
  if (!packed.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) {
    yield snappyBlock(packed);
    return;
  }
  for (let start = XERIAL_HEADER_BYTES; start < packed.length; ) {
    const end = start + 4 + packed.readUInt32BE(start);
    if (end > packed.length) throw new Error('A snappy block extends past the end of its batch.');
    yield snappyBlock(packed.subarray(start + 4, end));
    start = end;
  }
}

const LZ4_MAGIC = Buffer.from([0x04, 0x22, 0x4d, 0x18]);
const LZ4_FLAGS = { contentSize: 0x08, blockChecksum: 0x10, dictionary: 0x01 } as const;
const LZ4_STORED = 0x80000000;
/** The maximum distance of a reference to earlier bytes. */
const LZ4_WINDOW_BYTES = 64 * 1024;
/** Each block size has a code. The last byte of a frame's header is a checksum of the code and the flags. */
const LZ4_BLOCKS = new Map([
  [4, { bytes: 64 * 1024, checksum: 0xc0 }],
  [5, { bytes: 256 * 1024, checksum: 0x77 }],
  [6, { bytes: 1024 * 1024, checksum: 0x96 }],
  [7, { bytes: 4 * 1024 * 1024, checksum: 0xdf }],
]);
/** The flags for dependent blocks without checksums or sizes. */
const LZ4_PLAIN_FLAGS = 0x40;

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/**
 * Decompresses an LZ4 frame a few blocks at a time. The library decompresses only whole frames, so the blocks are
 * copied into a new frame. This frame begins with an uncompressed block of the earlier bytes that the blocks may refer
 * to. The frame's checksums are not compared, because the batch has its own.
 */
function* unpackLz4(packed: Buffer): Generator<Buffer> {
  if (!packed.subarray(0, 4).equals(LZ4_MAGIC)) throw new Error('The batch does not begin with an LZ4 frame.');
  const flags = packed.readUInt8(4);
  const code = (packed.readUInt8(5) >> 4) & 7;
  const size = LZ4_BLOCKS.get(code);
  if (size === undefined || flags & LZ4_FLAGS.dictionary) throw new Error('The LZ4 frame has an unknown header.');
  const header = Buffer.from([...LZ4_MAGIC, LZ4_PLAIN_FLAGS, code << 4, size.checksum]);
  const checksumBytes = flags & LZ4_FLAGS.blockChecksum ? 4 : 0;
  const blocksAtOnce = MAX_CHUNK_BYTES / size.bytes;
  let window: Buffer = Buffer.alloc(0);
  let blocks: Buffer[] = [];
  const unpack = (): Buffer => {
    const before = window.length === 0 ? [] : [uint32(LZ4_STORED + window.length), window];
    const unpacked = lz4Decompress(Buffer.concat([header, ...before, ...blocks, uint32(0)]));
    blocks = [];
    const chunk = unpacked.subarray(window.length);
    window = unpacked.subarray(-LZ4_WINDOW_BYTES);
    return chunk;
  };
  let start = flags & LZ4_FLAGS.contentSize ? 15 : 7;
  for (let length = packed.readUInt32LE(start); length !== 0; length = packed.readUInt32LE(start)) {
    const end = start + 4 + (length & ~LZ4_STORED);
    if (end + checksumBytes > packed.length) throw new Error('An LZ4 block extends past the end of its batch.');
    blocks.push(packed.subarray(start, end));
    start = end + checksumBytes;
    if (blocks.length >= blocksAtOnce) yield unpack();
  }
  if (blocks.length > 0) yield unpack();
}

function unpackStream(packed: Buffer, create: (options: { chunkSize: number }) => Transform): AsyncIterable<Buffer> {
  const chunkSize = Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, packed.length * DEFAULT_RATIO));
  return pipeline(Readable.from([packed]), create({ chunkSize }), () => {});
}

/**
 * Decompresses a batch's records chunk by chunk, which takes a few megabytes of memory for any uncompressed size.
 * However, a snappy block of up to 64 MiB is one chunk, and zstd keeps a window of up to 128 MiB. The libraries are
 * WebAssembly. Native libraries would come as an optional dependency for each platform, and the container image omits
 * optional dependencies.
 *
 * @throws BlockTooLargeError, and any error that a codec throws when the bytes are damaged
 */
export async function* unpack(codec: Codec, packed: Buffer): AsyncGenerator<Buffer> {
  switch (codec) {
    case 'uncompressed':
      yield packed;
      break;
    case 'gzip':
      yield* unpackStream(packed, createUnzip);
      break;
    case 'zstd':
      yield* unpackStream(packed, createZstdDecompress);
      break;
    case 'snappy':
      yield* unpackSnappy(packed);
      break;
    case 'lz4':
      yield* unpackLz4(packed);
      break;
  }
}

const EMPTY = Buffer.alloc(0);

/** Reads integers and byte arrays from a sequence of chunks. Requests a chunk only when it needs the bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = EMPTY;
  #start = 0;
  /** The number of bytes that have been read or skipped. */
  at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Stops the chunk source. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Returns a view when one chunk contains all of the bytes, and a copy otherwise. */
  async take(bytes: number): Promise<Buffer> {
    if (bytes <= this.#chunk.length - this.#start) return this.#advance(bytes);
    const parts: Buffer[] = [];
    for (let rest = bytes; rest > 0; ) {
      await this.#fill();
      const part = this.#advance(Math.min(rest, this.#chunk.length - this.#start));
      parts.push(part);
      rest -= part.length;
    }
    return Buffer.concat(parts, bytes);
  }

  async skip(bytes: number): Promise<void> {
    for (let rest = bytes; rest > 0; ) {
      if (this.#start === this.#chunk.length) await this.#fill();
      rest -= this.#advance(Math.min(rest, this.#chunk.length - this.#start)).length;
    }
  }

  /** Reads a zigzag-encoded integer of variable length. A value above 2^53 loses its last digits. */
  async varint(): Promise<number> {
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#start === this.#chunk.length) await this.#fill();
      const byte = this.#chunk[this.#start] ?? 0;
      this.#start += 1;
      this.at += 1;
      result += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return result % 2 === 0 ? result / 2 : -(result + 1) / 2;
    }
    throw new Error(`The integer before byte ${this.at} is longer than 10 bytes.`);
  }

  #advance(bytes: number): Buffer {
    const part = this.#chunk.subarray(this.#start, this.#start + bytes);
    this.#start += bytes;
    this.at += bytes;
    return part;
  }

  /**
   * Reads chunks until a byte is available. Callers first check whether this is needed, because each await takes time.
   */
  async #fill(): Promise<void> {
    while (this.#start === this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error(`The bytes end at ${this.at}, before the end of the last record.`);
      this.#chunk = value;
      this.#start = 0;
    }
  }
}
