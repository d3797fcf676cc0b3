import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const THRESHOLD_BYTES = 1024;

/** Compresses answers for those who ask for it, at levels that cost less time than the bytes they save. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD_BYTES,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlibOptions: { level: constants.Z_BEST_SPEED },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  });
}
