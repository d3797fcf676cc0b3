import { DamagedBytesError } from '@milepost/trail-codec/bit-reader';

/** Returns a copy of `bytes` in which the bits at these positions are flipped. */
export function withFlippedBits(bytes: Uint8Array, positions: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const position of positions) copy[position >>> 3] = (copy[position >>> 3] ?? 0) ^ (1 << (position & 7));
  return copy;
}

/** Returns whether `decode` throws DamagedBytesError. Rethrows other errors. */
export function isRefused(bytes: Uint8Array, decode: (bytes: Uint8Array) => unknown): boolean {
  try {
    decode(bytes);
    return false;
  } catch (error) {
    if (error instanceof DamagedBytesError) return true;
    throw error;
  }
}

/** Returns the positions of the bits that can be flipped without `decode` noticing. */
export function undetectedBits(bytes: Uint8Array, decode: (bytes: Uint8Array) => unknown): number[] {
  const positions = Array.from({ length: bytes.byteLength * 8 }, (_, position) => position);
  return positions.filter((position) => !isRefused(withFlippedBits(bytes, [position]), decode));
}
