import { CHUNK_BITS, CHUNK_RANGE } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';

/** Reads what a `BitWriter` wrote. Behind the end it reads zeros; `finish` then tells that the bytes were cut short. */
export class BitReader {
  private readonly view: DataView;
  private position: number;

  /** Reads from the byte at index `start` on. */
  constructor(bytes: Uint8Array, start: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start * 8;
  }

  /** The next 25 bits or more, lowest first, without moving on. */
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

  /** Reads a whole number from 0 to 2^53 - 1, as `BitWriter.writeNumber` wrote it. */
  readNumber(): number {
    const width = this.read(6);
    if (width > 53)
      throw new TrailPathDamagedError(`A number of ${width} bits is wider than the 53 a trail path can hold.`);
    return this.readWide(width);
  }

  /** Reads `width` bits, at most 53. */
  readWide(width: number): number {
    if (width <= CHUNK_BITS) return this.read(width);
    const low = this.read(CHUNK_BITS);
    if (width <= 2 * CHUNK_BITS) return low + this.read(width - CHUNK_BITS) * CHUNK_RANGE;
    const middle = this.read(CHUNK_BITS);
    return low + (middle + this.read(width - 2 * CHUNK_BITS) * CHUNK_RANGE) * CHUNK_RANGE;
  }

  /** Throws unless exactly all bytes were read and the bits that fill up the last one are zero. */
  finish(): void {
    const used = Math.ceil(this.position / 8);
    if (used !== this.view.byteLength || this.peek() !== 0) {
      throw new TrailPathDamagedError(
        `The trail path takes ${used} bytes by its content but has ${this.view.byteLength}.`,
      );
    }
  }
}
