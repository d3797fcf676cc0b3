import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { MAX_ARCHIVED_BYTES } from '@milepost/domain/records';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of an archive are damaged. The message completes a sentence and has no full stop. */
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
    if (restBytes > MAX_ARCHIVED_BYTES + CHUNK_BYTES) {
      throw new ArchiveDamagedError('a line exceeds the maximum length of a record');
    }
  }
  if (restBytes > 0) throw new ArchiveDamagedError('its last line does not end in a line feed');
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? new Error(`The file ${file} does not exist: name an archive.`) : error;
  });
  if (!found.isFile()) throw new Error(`${file} is not a file: name an archive.`);
  return found.size;
}

/** zlib's error message for a file that is not a zstd frame. */
const NOT_ZSTD = /unknown frame descriptor/i;

/**
 * Reads the lines of an archive. Throws ArchiveDamagedError when the archive is damaged or truncated, or when other
 * bytes follow the first frame, because zstd stops after that frame. Throws an Error when the file does not exist.
 */
export async function* readArchiveLines(file: string): AsyncGenerator<Buffer> {
  // The file is checked first, because the stream of a missing file would fail before it has a listener.
  const size = await sizeOf(file);
  const unpack = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const packed = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  try {
    yield* linesOf(pipeline(packed, unpack, () => {}));
  } catch (error) {
    // System errors (missing permission, broken disk) are problems with the file, not with its content.
    if (!(error instanceof Error) || 'syscall' in error || error instanceof ArchiveDamagedError) throw error;
    const message = NOT_ZSTD.test(error.message)
      ? 'the file is not compressed with zstd, but every archive is'
      : error.message;
    throw new ArchiveDamagedError(message, { cause: error });
  }
  if (unpack.bytesWritten === size) return;
  throw new ArchiveDamagedError(`bytes follow the end of its zstd frame at byte ${unpack.bytesWritten}`);
}
