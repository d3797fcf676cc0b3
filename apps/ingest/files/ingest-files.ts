import { type AppendCounts, claimFile, readHeadPosition, readSourceCounts } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { RecordBatcher } from '../records/batcher.ts';
import { isBlank, readLines } from './lines.ts';
import { openRecordFile } from './open.ts';
import { storeFileBatch } from './store-file-batch.ts';

export interface FileProgress {
  bytesRead: number;
  /** Null when standard input is among the files. */
  totalBytes: number | null;
  /** Records read so far. */
  read: number;
}

export interface IngestFilesOptions {
  /** Connections in the role `milepost_ingest`. */
  pool: Pool;
  /** Names of NDJSON files, also `.gz` and `.zst`; `-` is standard input. */
  files: readonly string[];
  signal: AbortSignal;
  onProgress?: (progress: FileProgress) => void;
}

export interface IngestedFiles {
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

async function ingestFile(
  name: string,
  { pool, signal }: IngestFilesOptions,
  report: (change: { bytes?: number; totalBytes?: number | null; records?: number }) => void,
): Promise<AppendCounts> {
  const file = await openRecordFile(name, (bytes) => report({ bytes }));
  report({ totalBytes: file.totalBytes });
  let claim = await claimFile(pool, file.name);
  const batcher = new RecordBatcher(async (records, nextOffset) => {
    claim = await storeFileBatch(pool, claim, records, nextOffset, signal);
    report({ records: records.length });
  });
  let lastLine = 0;
  try {
    for await (const line of readLines(file.bytes)) {
      signal.throwIfAborted();
      if (!isBlank(line.bytes)) await batcher.add(line.number, line.bytes);
      lastLine = line.number;
    }
    await batcher.flush();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} could not be ingested past line ${lastLine}: ${reason}`, { cause: error });
  }
  return await readSourceCounts(pool, claim.sourceId);
}

/**
 * Ingests files of records, one per line, on the same path that Kafka's records take. Each reading of a file is a source
 * of its own in the log; records stored by an earlier reading count as duplicates.
 */
export async function ingestFiles(options: IngestFilesOptions): Promise<IngestedFiles> {
  const progress: FileProgress = { bytesRead: 0, totalBytes: 0, read: 0 };
  let counts = NOTHING;
  for (const name of options.files) {
    const added = await ingestFile(name, options, ({ bytes = 0, totalBytes = 0, records = 0 }) => {
      progress.bytesRead += bytes;
      progress.totalBytes =
        progress.totalBytes === null || totalBytes === null ? null : progress.totalBytes + totalBytes;
      progress.read += records;
      options.onProgress?.({ ...progress });
    });
    counts = sum(counts, added);
  }
  return { counts, headPosition: await readHeadPosition(options.pool) };
}
