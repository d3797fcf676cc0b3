import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A file of records as a stream of their bytes, uncompressed. */
export interface RecordFile {
  /** The name under which the event log remembers it. */
  name: string;
  bytes: Readable;
  /** Bytes of the file as it lies on disk; null for standard input. */
  totalBytes: number | null;
}

function decompressor(name: string): Transform {
  if (name.endsWith('.gz')) return createGunzip();
  if (name.endsWith('.zst')) return createZstdDecompress();
  return new PassThrough();
}

/**
 * Opens a file of records, `-` for standard input; `.gz` and `.zst` are unpacked on the way.
 *
 * @param onRead told of each chunk's size as it is read from disk
 */
export async function openRecordFile(name: string, onRead: (bytes: number) => void): Promise<RecordFile> {
  // Asked first: a stream of a missing file would fail before anybody listens.
  const totalBytes = name === '-' ? null : (await stat(name)).size;
  const source: Readable = name === '-' ? process.stdin : createReadStream(name);
  source.on('data', (chunk: Buffer) => onRead(chunk.byteLength));
  // An error of either end reaches whoever reads the result.
  const bytes = pipeline(source, decompressor(name), () => {});
  return { name: name === '-' ? 'stdin' : name, bytes, totalBytes };
}
