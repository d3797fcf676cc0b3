/** Appends numbers of any bit width to a byte buffer, lowest bit first; the last byte is filled up with zero bits. */

const CHUNK_BITS = 24;
const CHUNK_RANGE = 2 ** CHUNK_BITS;

/** The number of bits that `value`, a whole number from 0 to 2^53 - 1, takes. */
export function bitLength(value: number): number {
  if (value < 2 ** 32) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 2 ** 32));
}

export class BitWriter {
  private bytes = new Uint8Array(4096);
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  /** Starts anew with room for `capacity` bytes: writes beyond it would be lost, so it must be an upper bound. */
  reset(capacity: number): void {
    if (this.bytes.length < capacity) this.bytes = new Uint8Array(capacity);
    this.length = 0;
    this.pending = 0;
    this.pendingBits = 0;
  }

  /** Writes the lowest `width` bits, at most 24, of `value`, whose higher bits must be zero. */
  write(value: number, width: number): void {
    let pending = this.pending | (value << this.pendingBits);
    let pendingBits = this.pendingBits + width;
    while (pendingBits >= 8) {
      this.bytes[this.length++] = pending;
      pending >>>= 8;
      pendingBits -= 8;
    }
    this.pending = pending;
    this.pendingBits = pendingBits;
  }

  /** Writes a whole number from 0 to 2^53 - 1 as its bit length (6 bits) and its bits. */
  writeNumber(value: number): void {
    let width = bitLength(value);
    this.write(width, 6);
    let rest = value;
    for (; width > CHUNK_BITS; width -= CHUNK_BITS) {
      const higher = Math.floor(rest / CHUNK_RANGE);
      this.write(rest - higher * CHUNK_RANGE, CHUNK_BITS);
      rest = higher;
    }
    this.write(rest, width);
  }

  /** A copy of all that was written since the last reset. */
  finish(): Uint8Array {
    if (this.pendingBits > 0) this.write(0, 8 - this.pendingBits);
    return this.bytes.slice(0, this.length);
  }
}
