/** Appends numbers of any bit width to a byte buffer, lowest bit first; the last byte is filled up with zero bits. */

export const CHUNK_BITS = 24;
export const CHUNK_RANGE = 2 ** CHUNK_BITS;

/** The number of bits that `value`, a whole number from 0 to 2^53 - 1, takes. */
export function bitLength(value: number): number {
  if (value < 2 ** 32) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 2 ** 32));
}

export class BitWriter {
  private view = new DataView(new ArrayBuffer(4096));
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  /** Starts anew with room for `capacity` bytes: writes beyond it would fail, so it must be an upper bound. */
  reset(capacity: number): void {
    // A write touches four bytes.
    if (this.view.byteLength < capacity + 4) this.view = new DataView(new ArrayBuffer(capacity + 4));
    this.length = 0;
    this.pending = 0;
    this.pendingBits = 0;
  }

  /** How many bits were written since the last reset. */
  get bits(): number {
    return this.length * 8 + this.pendingBits;
  }

  /** Takes back all that was written since `bits` was this. */
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
    this.write(width, 6);
    this.writeWide(value, width);
  }

  /** A copy of all that was written since the last reset. */
  finish(): Uint8Array {
    if (this.pendingBits > 0) this.write(0, 8 - this.pendingBits);
    return new Uint8Array(this.view.buffer.slice(0, this.length));
  }
}
