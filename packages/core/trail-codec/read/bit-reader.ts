import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, NUMBERS } from '../format.ts';

const { LENGTH_BITS, CHUNK_BITS, CHUNK_RANGE, HALF_WORD_BITS } = NUMBERS;
const MAX_NUMBER_BITS = 53;

// The lower word comes first, because all processors on which Milepost runs are little-endian.
const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

/** The bytes are damaged, or were not written by an encoder. */
export class DamagedBytesError extends Error {
  override readonly name = 'DamagedBytesError';
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

/** Returns the signed integer for a zigzag-encoded number. */
export function unzigzag(value: number): number {
  const half = Math.floor(value / 2);
  return value - 2 * half === 1 ? -half - 1 : half;
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
    const width = this.read(LENGTH_BITS);
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
