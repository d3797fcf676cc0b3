import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal, pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';

/** Returns the name of a file's source in the event log. */
export function sourceNameOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}

/** Node cannot decompress the rest of the file, but `command` writes it to standard output. */
export class UnpackError extends Error {
  override name = 'UnpackError';
  readonly command: string;

  constructor(message: string, command: string) {
    super(message);
    this.command = command;
  }
}

/**
 * Returns the size in bytes of a file on disk; null for standard input. Throws when the file does not exist or is not a
 * regular file. A named pipe is refused too, because a signal could not interrupt the wait for a writer.
 */
export async function sizeOf(name: string): Promise<number | null> {
  if (name === '-') return null;
  const found = await stat(name);
  if (found.isDirectory()) throw new Error(`${name} is a folder: name the files in it.`);
  if (!found.isFile()) {
    throw new Error(
      `${name} is not a regular file: read it as standard input, with "- < ${name}" instead of its name.`,
    );
  }
  return found.size;
}

/** A chunk contains about forty trips. With Node's default of 64 kB, nearly half of the lines would span two chunks. */
const CHUNK_BYTES = 1024 * 1024;

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onRead(chunk.byteLength);
    yield chunk;
  }
}

/**
 * Decompresses a file. Node's decompressors stop without an error after the first zstd frame, or at a zero byte after a
 * gzip member. If more data follows there, this function throws.
 */
async function* unpacked(
  packed: AsyncIterable<Uint8Array>,
  unpack: Gunzip | ZstdDecompress,
  { name, totalBytes, program }: { name: string; totalBytes: number; program: string },
): AsyncGenerator<Uint8Array> {
  yield* pipeline(packed, unpack, () => {});
  const end = unpack.bytesWritten;
  if (end === totalBytes) return;
  throw new UnpackError(`it has more data from byte ${end} on`, `tail -c +${end + 1} ${name} | ${program} -dc`);
}

/** Yields the bytes of standard input. Aborting the signal also stops waiting for a program that writes nothing. */
async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, process.stdin);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * Yields the uncompressed bytes of a file, or of standard input if the name is `-`. Decompresses files whose names end
 * in `.gz` or `.zst`.
 *
 * @param signal ends the wait for more standard input
 * @param onRead called with the size of each chunk read from disk
 */
export async function* readBytes(
  name: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const totalBytes = await sizeOf(name);
  if (totalBytes === null) return yield* counted(standardInput(signal), onRead);
  const packed = counted(createReadStream(name, { highWaterMark: CHUNK_BYTES }), onRead);
  const chunkSize = CHUNK_BYTES;
  switch (extname(name).toLowerCase()) {
    case '.zst':
      yield* unpacked(packed, createZstdDecompress({ chunkSize }), { name, totalBytes, program: 'zstd' });
      break;
    case '.gz':
      yield* unpacked(packed, createGunzip({ chunkSize }), { name, totalBytes, program: 'gzip' });
      break;
    default:
      yield* packed;
  }
}
