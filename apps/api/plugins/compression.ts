import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';

const THRESHOLD_BYTES = 1024;
/**
 * Compressing a page of 100 trips (54 kB) takes half a millisecond in one call, and several times as long in a stream.
 */
const MAX_ONE_CALL_BYTES = 128 * 1024;

/** The plugin passes the same options to gzip, which reads `level`, and zstd, which reads `params`. */
const zlibOptions = { level: constants.Z_BEST_SPEED, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Limits the memory for the remembered bodies, including their compressed forms. */
const MAX_REMEMBERED_BYTES = 32 * 1024 * 1024;
/** Browsers send fewer than 40. Without this limit, names with headers of 100 kB would fill the memory. */
const MAX_ACCEPTED_CHARACTERS = 100;

interface CompressedBody {
  body: string;
  encoding: string;
  compressed: Buffer;
}

/**
 * Returns the name under which the compressed form of a response is remembered: its tag and the encodings that its
 * consumer accepts. Returns null for a response that is not remembered.
 */
function nameOf(reply: FastifyReply): string | null {
  const { 'accept-encoding': accepted = '', 'x-no-compression': declined } = reply.request.headers;
  const tag = reply.getHeader('etag');
  const isUsual = accepted !== '' && accepted.length <= MAX_ACCEPTED_CHARACTERS && declined === undefined;
  return isUsual && tag !== undefined ? `${tag} ${accepted}` : null;
}

/**
 * Compresses a response if the client accepts compression. At these levels, compressing takes less time than it saves
 * in transfer. Remembers compressed responses by their tags, because compressing a large response takes longer than the
 * rest of the request. Even converting its text to bytes takes a tenth of the request's time.
 */
export async function compressAnswers(
  app: FastifyInstance,
  zlib = { brotliCompressSync, gzipSync, zstdCompressSync },
): Promise<void> {
  const remembered = new LRUCache<string, CompressedBody>({
    maxSize: MAX_REMEMBERED_BYTES,
    // A character takes up to two bytes, and a small compressed body may keep a larger buffer alive.
    sizeCalculation: ({ body, compressed }, name) => 2 * (name.length + body.length) + compressed.buffer.byteLength,
  });
  /** The texts of responses that the plugin is about to compress. */
  const texts = new WeakMap<FastifyReply, string>();
  // This hook runs before the plugin's, which ignores a response with a Content-Encoding.
  app.addHook('onSend', (_request, reply, body, done) => {
    const name = nameOf(reply);
    if (name === null || typeof body !== 'string') return done();
    const known = remembered.get(name);
    // Bodies from different fleets can have the same tag, so only an identical body is a match.
    if (known?.body === body) {
      reply.header('content-encoding', known.encoding);
      return done(null, known.compressed);
    }
    texts.set(reply, body);
    done();
  });
  const remember: onSendHookHandler = (_request, reply, compressed, done) => {
    const [name, body, encoding] = [nameOf(reply), texts.get(reply), reply.getHeader('content-encoding')];
    if (name !== null && body !== undefined && typeof encoding === 'string' && Buffer.isBuffer(compressed)) {
      remembered.set(name, { body, encoding, compressed });
    }
    done();
  };
  await app.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD_BYTES,
    syncThreshold: MAX_ONE_CALL_BYTES,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlib,
    zlibOptions,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });
  app.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat();
    // Fastify's hook for HEAD measures the body before the plugin's hook, the last in the list, compresses it.
    // Swap these two hooks, because otherwise HEAD would report the length of the uncompressed body.
    if (route.method === 'HEAD') hooks.splice(-1, 0, ...hooks.splice(-1));
    route.onSend = [...hooks, remember];
  });
}
