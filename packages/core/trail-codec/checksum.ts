/**
 * The checksum of encoded bytes, which is a CRC-32 in the last four bytes, lowest byte first. The checksum detects
 * every damaged byte.
 */

import { crc32 } from 'node:zlib';

const CHECKSUM_BYTES = 4;

/** The bytes are damaged, or were not written by an encoder. */
export class DamagedBytesError extends Error {
  override readonly name = 'DamagedBytesError';
}

/** Returns a copy of `content` with its checksum at the end. */
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
