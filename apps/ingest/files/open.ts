import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal, pipeline } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A file of records as a stream of uncompressed bytes. */
interface RecordFile {
  /** The name of the source in the event log. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * The rest of the file cannot be unpacked. The message suggests `command`, which writes the rest to standard output.
 */
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
 * regular file. A named pipe is refused too, because no signal could end the wait for the program that writes to it.
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

/**
 * A trip is 26 kB in size, so a chunk contains about forty trips. With Node's default of 64 kB, nearly half of the
 * lines would span two chunks.
 */
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
 * Unpacks one zstd frame. Node's decompressor would stop after the first frame and ignore the rest without an error, so
 * a file of several frames is refused at its end.
 */
async function* unpackZstd(
  packed: AsyncIterable<Uint8Array>,
  name: string,
  totalBytes: number,
): AsyncGenerator<Uint8Array> {
  const unpack = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  yield* pipeline(packed, unpack, () => {});
  if (unpack.bytesWritten === totalBytes) return;
  throw new UnpackError(
    `it has more data after its first zstd frame, which ends at byte ${unpack.bytesWritten}`,
    `zstd -dc ${name}`,
  );
}

/** Yields the file's bytes, up to `whole` in full chunks and after that in pieces of `size` bytes. */
async function* inPieces(name: string, whole: number, size: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of createReadStream(name, { highWaterMark: CHUNK_BYTES })) {
    for (let start = 0; start < chunk.byteLength; ) {
      const end = Math.min(chunk.byteLength, start + (at < whole ? whole - at : size));
      yield chunk.subarray(start, end);
      at += end - start;
      start = end;
    }
  }
}

/**
 * Finds the byte at which unpacking fails. It reads the file in ever smaller pieces, because the decompressor only
 * reports how many bytes it consumed before the failing chunk.
 */
async function byteAtFault(name: string): Promise<number> {
  let taken = 0;
  for (const size of [CHUNK_BYTES, 1024, 1]) {
    const unpack = createGunzip();
    await finish(inPieces(name, taken, size), unpack.resume()).catch(() => {});
    taken = unpack.bytesWritten;
  }
  return taken;
}

/** Returns the offset of the first byte at or after `start` that is not padding; null when only padding follows. */
async function endOfPadding(name: string, start: number): Promise<number | null> {
  let at = start;
  for await (const chunk of createReadStream(name, { start, highWaterMark: CHUNK_BYTES })) {
    const found = chunk.findIndex((byte: number) => byte !== 0);
    if (found >= 0) return at + found;
    at += chunk.byteLength;
  }
  return null;
}

/**
 * Unpacks all members of a gzip file. Node's decompressor stops without an error at a zero byte after a member. Such a
 * byte counts as padding, so it is an error if anything but padding follows.
 */
async function* unpackGzip(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const unpack = createGunzip({ chunkSize: CHUNK_BYTES });
  try {
    yield* pipeline(packed, unpack, () => {});
  } catch (error) {
    const isNoMember = error instanceof Error && error.message === 'incorrect header check';
    if (!isNoMember) throw error;
    // The decompressor needs two bytes to detect the missing header.
    throw new Error(`no gzip member begins at byte ${(await byteAtFault(name)) - 1}`, { cause: error });
  }
  const end = unpack.bytesWritten;
  const next = await endOfPadding(name, end);
  if (next === null) return;
  throw new UnpackError(
    `it has zero bytes from byte ${end} on, and other bytes from byte ${next} on`,
    `tail -c +${next + 1} ${name} | gzip -dc`,
  );
}

/**
 * Yields the bytes of standard input. The signal ends it, because a stop would otherwise wait for a program that writes
 * nothing.
 */
async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, process.stdin);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * Opens a file of records, or standard input if the name is `-`. Unpacks files whose names end in `.gz` or `.zst`.
 *
 * @param signal ends the wait for more standard input
 * @param onRead called with the size of each chunk read from disk
 */
export async function openRecordFile(
  name: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<RecordFile> {
  // The file is checked first, because the stream of a missing file would fail before it has a listener.
  const totalBytes = await sizeOf(name);
  if (totalBytes === null) return { name: 'stdin', bytes: counted(standardInput(signal), onRead) };
  const packed = counted(createReadStream(name, { highWaterMark: CHUNK_BYTES }), onRead);
  const format = extname(name).toLowerCase();
  if (format === '.zst') return { name, bytes: unpackZstd(packed, name, totalBytes) };
  if (format !== '.gz') return { name, bytes: packed };
  return { name, bytes: unpackGzip(packed, name) };
}
