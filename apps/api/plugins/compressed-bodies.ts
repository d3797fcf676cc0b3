import { LRUCache } from 'lru-cache';
import xxhash from 'xxhash-wasm';

const { h64Raw } = await xxhash();

/** Limits the memory for the bodies in one encoding, including their compressed forms. */
const MAX_BYTES = 16 * 1024 * 1024;

interface CompressedBody {
  body: Buffer;
  compressed: Buffer;
}

/**
 * Returns a function that compresses a body once and remembers the result, because compressing a large response takes
 * longer than the rest of the request, and many clients read the same response.
 */
export function compressOnce<Options>(
  compress: (body: Buffer, options: Options) => Buffer,
): (body: Buffer, options: Options) => Buffer {
  const bodies = new LRUCache<bigint, CompressedBody>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body, compressed }) => body.length + compressed.length,
  });
  return (body, options) => {
    const hash = h64Raw(body);
    const known = bodies.get(hash);
    // Bodies from different fleets can have the same hash, so only an identical body is a match.
    if (known?.body.equals(body)) return known.compressed;
    const compressed = compress(body, options);
    bodies.set(hash, { body, compressed });
    return compressed;
  };
}
