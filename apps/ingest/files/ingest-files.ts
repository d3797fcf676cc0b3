import {
  type AppendCounts,
  append,
  claimFile,
  claimSource,
  endSource,
  type IncomingRecord,
  readHeadPosition,
  readSourceCounts,
  type SourceClaim,
} from '@milepost/event-log';
import { type Pool, type RetryOptions, retryTransientErrors } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import { ahead } from '../records/ahead.ts';
import { LARGEST_BATCH, type RawRecord, RecordReader } from '../records/record-reader.ts';
import { FileStart, RefusedFileError } from './file-start.ts';
import type { Line } from './lines.ts';
import { sizeOf } from './open.ts';
import { NoRecordLinesError, openRecordLines } from './record-lines.ts';

export { RefusedFileError } from './file-start.ts';
export { UnpackError } from './open.ts';

interface FileProgress {
  bytesRead: number;
  /** Of all files together; null when standard input is among them. */
  totalBytes: number | null;
}

interface IngestFilesOptions {
  /** Connections in the role `milepost_ingest`. */
  pool: Pool;
  /** Names of NDJSON files, also `.gz` and `.zst`; `-` is standard input. */
  files: readonly string[];
  signal: AbortSignal;
  /** Goes on with a file of which the first hundred records are all refused. */
  force?: boolean;
  onProgress?: (progress: FileProgress) => void;
  /** Told of each transient error, before the wait (in milliseconds) for the next attempt. */
  onRetry?: RetryOptions['onRetry'];
}

interface IngestedFiles {
  counts: AppendCounts;
  /** The last position in the log once all was stored. */
  headPosition: number;
}

const NOTHING: AppendCounts = { read: 0, stored: 0, duplicates: 0, dead_letters: 0 };

function sum(left: AppendCounts, right: AppendCounts): AppendCounts {
  return {
    read: left.read + right.read,
    stored: left.stored + right.stored,
    duplicates: left.duplicates + right.duplicates,
    dead_letters: left.dead_letters + right.dead_letters,
  };
}

/** The records of a file in batches. What was read before a fault is as good as any other, and comes before it. */
async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<RawRecord[]> {
  let records: RawRecord[] = [];
  let bytes = 0;
  try {
    for await (const { number, bytes: raw } of lines) {
      records.push({ offset: number, raw });
      bytes += raw.byteLength;
      if (records.length < LARGEST_BATCH.records && bytes < LARGEST_BATCH.bytes) continue;
      yield records;
      records = [];
      bytes = 0;
    }
  } catch (error) {
    if (records.length > 0) yield records;
    throw error;
  }
  if (records.length > 0) yield records;
}

async function* prepare(batches: AsyncIterable<RawRecord[]>, reader: RecordReader): AsyncGenerator<IncomingRecord[]> {
  for await (const records of batches) yield await reader.prepare(records);
}

/**
 * Appends a batch of a file for as long as transient errors last. A failed COMMIT may have succeeded all the same, so every
 * further attempt first asks the log how far it has come.
 */
async function storeBatch(
  pool: Pool,
  claim: SourceClaim,
  records: IncomingRecord[],
  { signal, onRetry }: RetryOptions,
): Promise<SourceClaim> {
  const nextOffset = (records.at(-1)?.offset ?? 0) + 1;
  let current: SourceClaim | null = claim;
  const attempt = async () => {
    const held = current ?? (await claimSource(pool, claim.topic, claim.partition));
    current = null;
    return held.nextOffset >= nextOffset ? held : (await append(pool, held, records, nextOffset)).claim;
  };
  return await retryTransientErrors(attempt, { signal, onRetry });
}

async function ingestFile(
  name: string,
  { pool, signal, force = false, onRetry }: IngestFilesOptions,
  reader: RecordReader,
  onRead: (bytes: number) => void,
): Promise<AppendCounts> {
  const retry = { signal, onRetry };
  const file = await openRecordLines(name, onRead);
  let claim: SourceClaim | null = null;
  const claimed = async () => {
    claim ??= await retryTransientErrors(() => claimFile(pool, file.name), retry);
    return claim;
  };
  const store = async (records: IncomingRecord[]) => {
    if (records.length > 0) claim = await storeBatch(pool, await claimed(), records, retry);
  };
  const start = new FileStart(file.name, force);
  try {
    for await (const records of ahead(prepare(ahead(batchesOf(file.lines)), reader))) {
      signal.throwIfAborted();
      await store(start.take(records));
    }
    await store(start.end());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RefusedFileError || error instanceof NoRecordLinesError) throw error;
    // What was read before the fault is as good as any other.
    await store(start.end()).catch(() => {});
    const { nextOffset } = await claimed();
    throw new Error(
      `${file.name} is stored up to line ${Math.max(0, nextOffset - 1)} and cannot be read on: ${messageOf(error)}.`,
      { cause: error },
    );
  }
  const source = await claimed();
  await retryTransientErrors(() => endSource(pool, source), retry);
  return await retryTransientErrors(() => readSourceCounts(pool, source.sourceId), retry);
}

/**
 * Ingests files of records, one per line, on the same path that Kafka's records take. Each reading of a file is a source
 * of its own in the log; records stored by an earlier reading count as duplicates.
 *
 * @throws RefusedFileError, NoRecordLinesError; nothing of the file was stored then
 */
export async function ingestFiles(options: IngestFilesOptions): Promise<IngestedFiles> {
  const sizes = await Promise.all(options.files.map(sizeOf));
  const totalBytes = sizes.includes(null) ? null : sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
  let bytesRead = 0;
  let counts = NOTHING;
  const reader = new RecordReader(true);
  try {
    for (const name of options.files) {
      const added = await ingestFile(name, options, reader, (bytes) => {
        bytesRead += bytes;
        options.onProgress?.({ bytesRead, totalBytes });
      });
      counts = sum(counts, added);
    }
  } finally {
    await reader.close();
  }
  const { pool, signal, onRetry } = options;
  return { counts, headPosition: await retryTransientErrors(() => readHeadPosition(pool), { signal, onRetry }) };
}
