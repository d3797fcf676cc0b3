/**
 * Decimal digits written into a byte buffer, three at a time from tables. Each function returns the index behind what it
 * wrote; it may touch up to three bytes more, which the next write replaces.
 */

const GROUP = 1000;
const THREE_GROUPS = 1e9;

/** The characters of 0 to 999 as little-endian 32-bit numbers, to be stored in one write: '007' and a zero byte. */
const PADDED = new Int32Array(GROUP);
/** The same without leading zeros: '7' and three zero bytes. */
const PLAIN = new Int32Array(GROUP);
const PLAIN_LENGTH = new Uint8Array(GROUP);
/** How many of the three digits are left without trailing zeros: 3 of 007, 1 of 700, 0 of 000. */
const FRACTION_LENGTH = new Uint8Array(GROUP);
for (let value = 0; value < GROUP; value++) {
  const padded = String(value).padStart(3, '0');
  PADDED[value] = fourCharacters(padded);
  PLAIN[value] = fourCharacters(String(value));
  PLAIN_LENGTH[value] = String(value).length;
  FRACTION_LENGTH[value] = padded.replace(/0+$/, '').length;
}

/** Up to four ASCII characters as a little-endian 32-bit number. */
export function fourCharacters(text: string): number {
  const bytes = Buffer.alloc(4);
  bytes.write(text, 'latin1');
  return bytes.readInt32LE();
}

/** Writes a whole number from 0 to 999. */
export function writeSmall(target: DataView, at: number, value: number): number {
  target.setInt32(at, PLAIN[value] ?? 0, true);
  return at + (PLAIN_LENGTH[value] ?? 0);
}

/** Writes value / 10^9, without trailing zeros and without the point, of a whole number from 1 to 10^9 - 1. */
export function writeFraction(target: DataView, at: number, value: number): number {
  // `| 0` tells the compiler that a number is a 32-bit one, whose division by a constant is a multiplication.
  const whole = value | 0;
  const thousands = (whole / GROUP) | 0;
  const first = (thousands / GROUP) | 0;
  const second = thousands - first * GROUP;
  const third = whole - thousands * GROUP;
  target.setInt32(at, PADDED[first] ?? 0, true);
  if (second === 0 && third === 0) return at + (FRACTION_LENGTH[first] ?? 0);
  target.setInt32(at + 3, PADDED[second] ?? 0, true);
  if (third === 0) return at + 3 + (FRACTION_LENGTH[second] ?? 0);
  target.setInt32(at + 6, PADDED[third] ?? 0, true);
  return at + 6 + (FRACTION_LENGTH[third] ?? 0);
}

/** Writes a whole number of exactly 13 digits. */
export function writeThirteen(target: DataView, at: number, value: number): number {
  const higher = Math.floor(value / THREE_GROUPS);
  const lower = (value - higher * THREE_GROUPS) | 0;
  const first = (higher / GROUP) | 0;
  const millions = (lower / (GROUP * GROUP)) | 0;
  const thousands = (lower / GROUP) | 0;
  target.setInt32(at, PLAIN[first] ?? 0, true);
  target.setInt32(at + 1, PADDED[higher - first * GROUP] ?? 0, true);
  target.setInt32(at + 4, PADDED[millions] ?? 0, true);
  target.setInt32(at + 7, PADDED[thousands - millions * GROUP] ?? 0, true);
  target.setInt32(at + 10, PADDED[lower - thousands * GROUP] ?? 0, true);
  return at + 13;
}
