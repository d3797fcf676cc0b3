import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const THRESHOLD_BYTES = 1024;
/** A page of 100 trips, 54 kB, takes half a millisecond in one go, and a multiple of that as a stream. */
const LONGEST_IN_ONE_GO_BYTES = 128 * 1024;

/** The plugin hands one set of options to gzip, which takes `level`, and zstd, which takes `params`. */
const zlibOptions = {
  level: constants.Z_BEST_SPEED,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};

/** Compresses answers for those who ask for it, at levels that cost less time than the bytes they save. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD_BYTES,
    syncThreshold: LONGEST_IN_ONE_GO_BYTES,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlibOptions,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });
}
