import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { compressOnce } from './compressed-bodies.ts';

const THRESHOLD_BYTES = 1024;
/**
 * Compressing a page of 100 trips (54 kB) takes half a millisecond in one call, and several times as long in a stream.
 */
const MAX_ONE_CALL_BYTES = 128 * 1024;

/** The plugin passes the same options to gzip, which reads `level`, and zstd, which reads `params`. */
const zlibOptions = { level: constants.Z_BEST_SPEED, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

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
  // Fastify's hook for HEAD measures the body before the plugin's hook (the last in the list) compresses it. Swap them,
  // or HEAD would report the length of the uncompressed body.
  app.addHook('onRoute', ({ method, onSend }) => {
    if (method === 'HEAD' && Array.isArray(onSend)) onSend.splice(-1, 0, ...onSend.splice(-1));
  });
}
