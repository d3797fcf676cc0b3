import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, NUMBERS } from '../format.ts';

const { LENGTH_BITS, CHUNK_BITS, CHUNK_RANGE, HALF_WORD_BITS } = NUMBERS;
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

/** Writes numbers of any bit width into a buffer of bytes. */
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
    this.write(width, LENGTH_BITS);
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

/**
 * Returns a copy of `content` with its checksum, a CRC-32, in four more bytes at the end, lowest byte first. The
 * checksum detects every damaged byte.
 */
export function withChecksum(content: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(content.byteLength + CHECKSUM_BYTES);
  bytes.set(content);
  bytes.writeUInt32LE(crc32(content), content.byteLength);
  return bytes;
}
