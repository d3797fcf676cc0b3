import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { SimulatedRecord } from '@milepost/sample-fleet';

const CHUNK_CHARACTERS = 256 * 1024;

/** Joins lines into chunks, because one write per record would cost more than the record itself. */
function* chunks(records: Iterable<SimulatedRecord>): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const { value } of records) {
    lines.push(value, '\n');
    length += value.length;
    if (length < CHUNK_CHARACTERS) continue;
    yield lines.join('');
    lines = [];
    length = 0;
  }
  yield lines.join('');
}

function compressor(file: string): Transform {
  if (file.endsWith('.gz')) return createGzip();
  if (file.endsWith('.zst')) return createZstdCompress();
  return new PassThrough();
}

/** Writes records to stdout, one per line. */
export async function writeToStandardOutput(records: Iterable<SimulatedRecord>, signal: AbortSignal): Promise<void> {
  await pipeline(Readable.from(chunks(records)), process.stdout, { signal, end: false });
}

/**
 * Writes records to a file, one per line. The extension of the file name selects the compression. After an error, the
 * file is removed.
 */
export async function writeToFile(
  records: Iterable<SimulatedRecord>,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const draft = `${file}.${process.pid}.partial`;
  try {
    await pipeline(Readable.from(chunks(records)), compressor(file), createWriteStream(draft), { signal });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw signal.aborted ? signal.reason : error;
  }
}
