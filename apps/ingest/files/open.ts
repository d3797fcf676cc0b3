import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A file of records as a stream of their bytes, uncompressed. */
interface RecordFile {
  /** The name under which the event log remembers it. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** A file goes on where it cannot be unpacked any more. `command` writes what follows to its standard output. */
export class UnpackError extends Error {
  override name = 'UnpackError';
  readonly command: string;

  constructor(message: string, command: string) {
    super(message);
    this.command = command;
  }
}

/** Bytes of a file as it lies on disk; null for standard input. Throws when there is no such file. */
export async function sizeOf(name: string): Promise<number | null> {
  if (name === '-') return null;
  const found = await stat(name);
  if (found.isDirectory()) throw new Error(`${name} is a folder: name the files in it.`);
  return found.size;
}

/** A trip has 26 kB, so a chunk holds some forty: with Node's usual 64 kB nearly every other line is put together from two. */
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
 * Unpacks one zstd frame. Node's decompressor ends with the first frame and drops the others without a word, so a file
 * put together from several is refused at its end.
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
    `it has more behind its first zstd frame, which ends at byte ${unpack.bytesWritten}`,
    `zstd -dc ${name}`,
  );
}

/** The file's bytes: as they are read up to `whole`, and behind it in pieces of so many. */
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
 * At which byte unpacking fails. The decompressor only says which bytes it took before those that it failed with, so they
 * are handed over in ever smaller pieces.
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

/** Of bytes behind a member, the first that is no padding; null when all are. */
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
 * Unpacks all members of a gzip file. Node's decompressor ends in front of a zero byte behind a member without a word: it
 * may be padding, and nothing but padding may follow.
 */
async function* unpackGzip(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const unpack = createGunzip({ chunkSize: CHUNK_BYTES });
  try {
    yield* pipeline(packed, unpack, () => {});
  } catch (error) {
    const isNoMember = error instanceof Error && error.message === 'incorrect header check';
    if (!isNoMember) throw error;
    // It takes two bytes to tell.
    throw new Error(`no gzip member begins at byte ${(await byteAtFault(name)) - 1}`, { cause: error });
  }
  const end = unpack.bytesWritten;
  const next = await endOfPadding(name, end);
  if (next === null) return;
  throw new UnpackError(
    `it has zero bytes from byte ${end} on and others from byte ${next} on`,
    `tail -c +${next + 1} ${name} | gzip -dc`,
  );
}

/**
 * Opens a file of records, `-` for standard input; `.gz` and `.zst` are unpacked on the way.
 *
 * @param onRead told of each chunk's size as it is read from disk
 */
export async function openRecordFile(name: string, onRead: (bytes: number) => void): Promise<RecordFile> {
  // Asked first: a stream of a missing file would fail before anybody listens.
  const totalBytes = await sizeOf(name);
  if (totalBytes === null) return { name: 'stdin', bytes: counted(process.stdin, onRead) };
  const packed = counted(createReadStream(name, { highWaterMark: CHUNK_BYTES }), onRead);
  const format = extname(name).toLowerCase();
  if (format === '.zst') return { name, bytes: unpackZstd(packed, name, totalBytes) };
  if (format !== '.gz') return { name, bytes: packed };
  return { name, bytes: unpackGzip(packed, name) };
}
