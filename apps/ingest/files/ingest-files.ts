import { readHeadPosition } from '@milepost/event-log/head';
import type { IncomingRecord } from '@milepost/event-log/prepare';
import type { AppendCounts } from '@milepost/event-log/sources';
import { type RetryOptions, retryTransientErrors } from '@milepost/postgres';
import { prefetch } from '@milepost/postgres/prefetch';
import { causeOf } from '@milepost/service';
import type { IngestLanes } from '../lanes.ts';
import { MAX_BATCH, RecordReader } from '../records/record-reader.ts';
import { FileSource, NO_RECORDS, sumCounts } from './file-source.ts';
import { FileStart, RefusedFileError } from './file-start.ts';
import type { Line } from './lines.ts';
import { sizeOf, sourceNameOf } from './open.ts';
import { NoRecordLinesError, recordLines } from './record-lines.ts';

export { RefusedFileError } from './file-start.ts';
export { UnpackError } from './open.ts';

interface IngestFilesOptions {
  lanes: IngestLanes;
  /** Names of NDJSON files, plain, `.gz` or `.zst`; `-` is standard input. */
  files: readonly string[];
  signal: AbortSignal;
  /** Continues with a file even if its first hundred records are all refused. */
  force?: boolean;
  /** Called with the number of bytes read so far and the total size, which is null with standard input. */
  onProgress?: (bytesRead: number, totalBytes: number | null) => void;
  /** Called before each retry, with the transient error and the delay in milliseconds. */
  onRetry?: RetryOptions['onRetry'];
}

/**
 * Yields the file's records in batches. When reading fails, first yields the records read before the error, because
 * they are valid, and then throws the error. If the lines are not records, yields none of them.
 */
async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let records: Line[] = [];
  let bytes = 0;
  try {
    for await (const line of lines) {
      records.push(line);
      bytes += line.value.byteLength;
      if (records.length < MAX_BATCH.records && bytes < MAX_BATCH.bytes) continue;
      yield records;
      records = [];
      bytes = 0;
    }
  } catch (error) {
    if (records.length > 0 && !(error instanceof NoRecordLinesError)) yield records;
    throw error;
  }
  if (records.length > 0) yield records;
}

async function* prepare(batches: AsyncIterable<Line[]>, reader: RecordReader): AsyncGenerator<IncomingRecord[]> {
  for await (const records of batches) yield await reader.prepare(records);
}

async function ingestFile(
  file: string,
  { lanes, signal, force = false, onRetry }: IngestFilesOptions,
  reader: RecordReader,
  onRead: (bytes: number) => void,
): Promise<{ counts: AppendCounts; lanes: number[] }> {
  const name = sourceNameOf(file);
  const source = new FileSource(name, lanes, { signal, onRetry });
  const start = new FileStart(name, force);
  const lines = recordLines(file, signal, onRead);
  try {
    for await (const records of prefetch(prepare(prefetch(batchesOf(lines)), reader))) {
      signal.throwIfAborted();
      await source.store(start.take(records));
    }
    await source.store(start.end());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RefusedFileError || error instanceof NoRecordLinesError) throw error;
    // Records read before the error are valid.
    await source.store(start.end()).catch(() => {});
    await source.claim();
    throw new Error(
      `${name} is stored up to line ${Math.max(0, source.nextOffset - 1)}, and the rest cannot be read: ${causeOf(error)}.`,
      { cause: error },
    );
  }
  const counts = await source.end();
  return { counts, lanes: source.lanes };
}

/**
 * Ingests files with one record per line, using the same functions as for records from Kafka. Each reading of a file is
 * a separate source in the log, and records that are already stored count as duplicates.
 *
 * @returns the counts, and the last position in each lane's log after all records have been stored
 * @throws RefusedFileError or NoRecordLinesError, in which case no record from the file has been stored
 */
export async function ingestFiles(options: IngestFilesOptions) {
  const sizes = await Promise.all(options.files.map(sizeOf));
  const totalBytes = sizes.includes(null) ? null : sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
  let bytesRead = 0;
  let counts = NO_RECORDS;
  const touched = new Set<number>();
  const reader = new RecordReader(true);
  try {
    for (const name of options.files) {
      const added = await ingestFile(name, options, reader, (bytes) => {
        bytesRead += bytes;
        options.onProgress?.(bytesRead, totalBytes);
      });
      counts = sumCounts(counts, added.counts);
      for (const lane of added.lanes) touched.add(lane);
    }
  } finally {
    await reader.close();
  }
  const { lanes, signal, onRetry } = options;
  const headPositions = new Map<number, number>();
  for (const [lane, pool] of lanes.pools) {
    if (!touched.has(lane)) continue;
    headPositions.set(lane, await retryTransientErrors(() => readHeadPosition(pool), { signal, onRetry }));
  }
  return { counts, headPositions };
}
