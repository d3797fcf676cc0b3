import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A file of records as a stream of their bytes, uncompressed. */
export interface RecordFile {
  /** The name under which the event log remembers it. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Bytes of the file as it lies on disk; null for standard input. */
  totalBytes: number | null;
}

/** A trip has 26 kB, so a chunk holds some forty: with Node's usual 64 kB nearly every other line is put together from two. */
const CHUNK_BYTES = 1024 * 1024;

function decompressor(name: string): Transform | null {
  if (name.endsWith('.gz')) return createGunzip({ chunkSize: CHUNK_BYTES });
  if (name.endsWith('.zst')) return createZstdDecompress({ chunkSize: CHUNK_BYTES });
  return null;
}

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
 * Opens a file of records, `-` for standard input; `.gz` and `.zst` are unpacked on the way.
 *
 * @param onRead told of each chunk's size as it is read from disk
 */
export async function openRecordFile(name: string, onRead: (bytes: number) => void): Promise<RecordFile> {
  // Asked first: a stream of a missing file would fail before anybody listens.
  const totalBytes = name === '-' ? null : (await stat(name)).size;
  const source: Readable = name === '-' ? process.stdin : createReadStream(name, { highWaterMark: CHUNK_BYTES });
  const unpack = decompressor(name);
  const read = counted(source, onRead);
  // An error of either end reaches whoever reads the result.
  const bytes = unpack === null ? read : pipeline(read, unpack, () => {});
  return { name: name === '-' ? 'stdin' : name, bytes, totalBytes };
}
