import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import xxhash from 'xxhash-wasm';

const { h64Raw } = await xxhash();

const THRESHOLD_BYTES = 1024;
/**
 * Compressing a page of 100 trips (54 kB) takes half a millisecond in one call, and several times as long in a stream.
 */
const MAX_ONE_CALL_BYTES = 128 * 1024;

/** The plugin passes the same options to gzip, which reads `level`, and zstd, which reads `params`. */
const zlibOptions = { level: constants.Z_BEST_SPEED, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Limits the memory for the bodies in one encoding, including their compressed forms. */
const MAX_BYTES = 16 * 1024 * 1024;

interface CompressedBody {
  body: Buffer;
  compressed: Buffer;
}

/**
 * Returns a function that compresses a body once and remembers the result, because compressing a large response takes
 * longer than the rest of the request, and many clients read the same response. Exported for tests.
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

/**
 * Compresses a response if the client accepts compression. At these levels, compressing takes less time than it saves
 * in transfer.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD_BYTES,
    syncThreshold: MAX_ONE_CALL_BYTES,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlib: {
      brotliCompressSync: compressOnce(brotliCompressSync),
      gzipSync: compressOnce(gzipSync),
      zstdCompressSync: compressOnce(zstdCompressSync),
    },
    zlibOptions,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });
  // Fastify's hook for HEAD measures the body before the plugin's hook, the last in the list, compresses it.
  // Swap these two hooks, because otherwise HEAD would report the length of the uncompressed body.
  app.addHook('onRoute', ({ method, onSend }) => {
    if (method === 'HEAD' && Array.isArray(onSend)) onSend.splice(-1, 0, ...onSend.splice(-1));
  });
}
