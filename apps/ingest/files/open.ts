import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A file of records as a stream of their bytes, uncompressed. */
export interface RecordFile {
  /** The name under which the event log remembers it. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
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
  throw new Error(
    `it has more behind its first zstd frame, which ends at byte ${unpack.bytesWritten}: use \`zstd -dc ${name} | milepost ingest -\``,
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
  // An error of either end reaches whoever reads the result.
  return { name, bytes: pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) };
}
