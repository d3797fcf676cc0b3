/** ASCII text read four characters at a time, as little-endian words: a load a word instead of a load a character. */

export const WORD_BYTES = 4;

const ZEROS = 0x30303030;
const TENS = 0xf0f0f0f0 | 0;
/** Carries all above nine into the tens. */
const SIX = 0x06060606;

/** Bytes read as such words. */
export class WordReader {
  private readonly view: DataView;
  /** Kept here: asking the view takes longer than reading a word. */
  private readonly length: number;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = bytes.byteLength;
  }

  /** The four bytes from `at` on; behind the end they are zero. */
  read(at: number): number {
    if (at + WORD_BYTES <= this.length) return this.view.getInt32(at, true);
    let word = 0;
    for (let byte = 0; at + byte < this.length; byte++) word |= this.view.getUint8(at + byte) << (8 * byte);
    return word;
  }

  /** Whether the `length`, 4 or more, bytes from `left` on stand at `right` again. */
  isRepeated(left: number, right: number, length: number): boolean {
    if (right + length > this.length) return false;
    const last = length - WORD_BYTES;
    for (let offset = 0; offset < last; offset += WORD_BYTES) {
      if (this.view.getInt32(left + offset, true) !== this.view.getInt32(right + offset, true)) return false;
    }
    return this.view.getInt32(left + last, true) === this.view.getInt32(right + last, true);
  }
}

/** How many of the word's characters, from the first on, are digits: 0 to 4. */
export function leadingDigits(word: number): number {
  const values = word ^ ZEROS;
  const others = (values | (values + SIX)) & TENS;
  // Branches, which a processor foresees: reading on need not wait for the count.
  if (others === 0) return 4;
  if ((others & 0xff) !== 0) return 0;
  if ((others & 0xff00) !== 0) return 1;
  return (others & 0xff0000) !== 0 ? 2 : 3;
}

/** The number that the first `digits`, 1 to 4, characters of the word spell. */
export function spelledBy(word: number, digits: number): number {
  const values = (word ^ ZEROS) << (8 * (WORD_BYTES - digits));
  const pairs = (Math.imul(values, 10) + (values >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}
