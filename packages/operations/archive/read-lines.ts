import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { RECORD_LIMIT_BYTES } from '@milepost/domain/records';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of an archive cannot be read, or not to the end. The message says why, as the rest of a sentence. */
export class ArchiveDamagedError extends Error {
  override name = 'ArchiveDamagedError';
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    restBytes += chunk.byteLength - start;
    if (restBytes > RECORD_LIMIT_BYTES + CHUNK_BYTES) {
      throw new ArchiveDamagedError('a line is longer than any record may be');
    }
  }
  if (restBytes > 0) throw new ArchiveDamagedError('its last line has no end');
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? new Error(`There is no file ${file}: name an archive.`) : error;
  });
  if (!found.isFile()) throw new Error(`${file} is no file: name an archive.`);
  return found.size;
}

/** What zlib calls a file that does not begin as a zstd frame does. */
const NO_ZSTD = /unknown frame descriptor/i;

/**
 * The lines of an archive without their ends. Throws ArchiveDamagedError when its bytes are damaged, cut off, or followed
 * by others (zstd stops behind its first frame without a word), and a sentence when there is no such file.
 */
export async function* readArchiveLines(file: string): AsyncGenerator<Buffer> {
  // Asked first: a stream of a missing file would fail before anybody listens.
  const size = await sizeOf(file);
  const unpack = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const packed = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  try {
    yield* linesOf(pipeline(packed, unpack, () => {}));
  } catch (error) {
    // The system's errors (no right to read, a broken disk) are about the file and not about what is in it.
    if (!(error instanceof Error) || 'syscall' in error || error instanceof ArchiveDamagedError) throw error;
    const message = NO_ZSTD.test(error.message)
      ? 'the file is not packed with zstd, as every archive is'
      : error.message;
    throw new ArchiveDamagedError(message, { cause: error });
  }
  if (unpack.bytesWritten === size) return;
  throw new ArchiveDamagedError(`bytes follow the end of its zstd frame at byte ${unpack.bytesWritten}`);
}
