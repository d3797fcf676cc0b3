/**
 * Numbers of any bit width in a buffer of bytes, lowest bit first, and the checksum of the bytes. The last byte of the
 * numbers is padded with zero bits.
 */

import { crc32 } from 'node:zlib';

const CHECKSUM_BYTES = 4;

/** The bytes are damaged, or were not written by an encoder. */
export class DamagedBytesError extends Error {
  override readonly name = 'DamagedBytesError';
}

/**
 * Returns a copy of `content` with its checksum, a CRC-32, in four more bytes at the end, lowest byte first. The
 * checksum detects every damaged byte.
 */
export function withChecksum(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.byteLength + CHECKSUM_BYTES);
  bytes.set(content);
  new DataView(bytes.buffer).setUint32(content.byteLength, crc32(content), true);
  return bytes;
}

/** Returns the content of `bytes` as a view. Throws DamagedBytesError when the checksum does not match. */
export function checkedContent(bytes: Uint8Array): Uint8Array {
  const end = bytes.byteLength - CHECKSUM_BYTES;
  if (end < 0) throw new DamagedBytesError(`${bytes.byteLength} bytes are too few to hold a checksum.`);
  const content = bytes.subarray(0, end);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  if (crc32(content) !== checksum) throw new DamagedBytesError('The checksum does not match the bytes.');
  return content;
}

const CHUNK_BITS = 24;
const CHUNK_RANGE = 2 ** CHUNK_BITS;
const MAX_NUMBER_BITS = 53;
const NUMBER_LENGTH_BITS = 6;
const HALF_WORD_BITS = 16;
const HALF_WORD_MASK = 0xffff;

// The lower word comes first, because all processors on which Milepost runs are little-endian.
const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

/** Returns the number of bits that `value`, a whole number from 0 to 2^53 - 1, needs. */
export function bitLength(value: number): number {
  if (value < 2 ** 32) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 2 ** 32));
}

/** Maps signed whole numbers to unsigned ones and keeps small ones small, so 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Reverses `zigzag`. */
export function unzigzag(value: number): number {
  const half = Math.floor(value / 2);
  return value - 2 * half === 1 ? -half - 1 : half;
}

export class BitWriter {
  private view = new DataView(new ArrayBuffer(4096));
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  /** Starts a new stream of at most `capacity` bytes, beyond which a write throws a RangeError. */
  reset(capacity: number): void {
    // Allocates four bytes beyond the capacity, because a write touches four bytes.
    if (this.view.byteLength < capacity + 4) this.view = new DataView(new ArrayBuffer(capacity + 4));
    this.length = 0;
    this.pending = 0;
    this.pendingBits = 0;
  }

  /** How many bits have been written since the last reset. */
  get bits(): number {
    return this.length * 8 + this.pendingBits;
  }

  /** Discards everything written after the first `bits` bits. */
  rewind(bits: number): void {
    this.length = bits >>> 3;
    this.pendingBits = bits & 7;
    this.pending = this.view.getUint8(this.length) & ((1 << this.pendingBits) - 1);
  }

  /** Writes the lowest `width` bits, at most 24, of `value`, whose higher bits must be zero. */
  write(value: number, width: number): void {
    const pending = this.pending | (value << this.pendingBits);
    const pendingBits = this.pendingBits + width;
    this.view.setInt32(this.length, pending, true);
    this.length += pendingBits >>> 3;
    this.pending = pending >>> (pendingBits & ~7);
    this.pendingBits = pendingBits & 7;
  }

  /** Writes the lowest `width` bits, at most 53, of a whole number whose higher bits are zero. */
  writeWide(value: number, width: number): void {
    let rest = value;
    let left = width;
    for (; left > CHUNK_BITS; left -= CHUNK_BITS) {
      const lowest = (rest >>> 0) & (CHUNK_RANGE - 1);
      this.write(lowest, CHUNK_BITS);
      rest = (rest - lowest) / CHUNK_RANGE;
    }
    this.write(rest, left);
  }

  /** Writes a whole number from 0 to 2^53 - 1 as its bit length (6 bits) and its bits. */
  writeNumber(value: number): void {
    const width = bitLength(value);
    this.write(width, NUMBER_LENGTH_BITS);
    this.writeWide(value, width);
  }

  /** Writes the 64 bits of a double. */
  writeDouble(value: number): void {
    double[0] = value;
    for (const word of doubleWords) {
      this.write(word & HALF_WORD_MASK, HALF_WORD_BITS);
      this.write(word >>> HALF_WORD_BITS, HALF_WORD_BITS);
    }
  }

  /** Returns everything written since the last reset, as a view that is valid until the next reset. */
  finish(): Uint8Array {
    if (this.pendingBits > 0) this.write(0, 8 - this.pendingBits);
    return new Uint8Array(this.view.buffer, 0, this.length);
  }
}

/** Reads what a `BitWriter` wrote. Beyond the end, the reader returns zeros, but then `finish` throws. */
export class BitReader {
  private readonly view: DataView;
  private position = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the next 25 bits or more, lowest first, without consuming them. */
  peek(): number {
    const { view } = this;
    const index = this.position >>> 3;
    if (index + 4 <= view.byteLength) return view.getInt32(index, true) >>> (this.position & 7);
    let bits = 0;
    for (let byte = 0; index + byte < view.byteLength; byte++) bits |= view.getUint8(index + byte) << (8 * byte);
    return bits >>> (this.position & 7);
  }

  skip(width: number): void {
    this.position += width;
  }

  /** Reads `width` bits, at most 24. */
  read(width: number): number {
    const value = this.peek() & ((1 << width) - 1);
    this.position += width;
    return value;
  }

  /** Reads `width` bits, at most 53. */
  readWide(width: number): number {
    if (width <= CHUNK_BITS) return this.read(width);
    const low = this.read(CHUNK_BITS);
    if (width <= 2 * CHUNK_BITS) return low + this.read(width - CHUNK_BITS) * CHUNK_RANGE;
    const middle = this.read(CHUNK_BITS);
    return low + (middle + this.read(width - 2 * CHUNK_BITS) * CHUNK_RANGE) * CHUNK_RANGE;
  }

  /** Reads a whole number from 0 to 2^53 - 1 written by `BitWriter.writeNumber`. Throws DamagedBytesError. */
  readNumber(): number {
    const width = this.read(NUMBER_LENGTH_BITS);
    if (width > MAX_NUMBER_BITS) {
      throw new DamagedBytesError(`A number has ${width} bits, more than ${MAX_NUMBER_BITS}.`);
    }
    return this.readWide(width);
  }

  /** Reads a double. Throws DamagedBytesError when the double is not finite. */
  readDouble(): number {
    for (let index = 0; index < doubleWords.length; index++) {
      const low = this.read(HALF_WORD_BITS);
      doubleWords[index] = low | (this.read(HALF_WORD_BITS) << HALF_WORD_BITS);
    }
    const [value = 0] = double;
    if (!Number.isFinite(value)) throw new DamagedBytesError(`The number ${value} is not finite.`);
    return value;
  }

  /** Throws DamagedBytesError unless all bytes have been read and the padding bits are zero. */
  finish(): void {
    const used = Math.ceil(this.position / 8);
    if (used !== this.view.byteLength || this.peek() !== 0) {
      throw new DamagedBytesError(`The content ends after ${used} bytes, but there are ${this.view.byteLength}.`);
    }
  }
}
