import { type AppendCounts, claimFile, readHeadPosition, readSourceCounts } from '@milepost/event-log';
import { type Pool, type RetryOptions, retryPassingFaults } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import { RecordBatcher } from '../records/batcher.ts';
import { RecordReader } from '../records/record-reader.ts';
import { isBlank, readLines } from './lines.ts';
import { openRecordFile, sizeOf } from './open.ts';
import { storeFileBatch } from './store-file-batch.ts';

export interface FileProgress {
  bytesRead: number;
  /** Of all files together; null when standard input is among them. */
  totalBytes: number | null;
}

export interface IngestFilesOptions {
  /** Connections in the role `milepost_ingest`. */
  pool: Pool;
  /** Names of NDJSON files, also `.gz` and `.zst`; `-` is standard input. */
  files: readonly string[];
  signal: AbortSignal;
  onProgress?: (progress: FileProgress) => void;
  /** Told of each passing fault, before the wait (in milliseconds) for the next attempt. */
  onFault?: RetryOptions['onFault'];
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
  { pool, signal, onFault = () => {} }: IngestFilesOptions,
  reader: RecordReader,
  onRead: (bytes: number) => void,
): Promise<AppendCounts> {
  const file = await openRecordFile(name, onRead);
  let claim = await retryPassingFaults(() => claimFile(pool, file.name), { signal, onFault });
  const batcher = new RecordBatcher(reader, async (records, nextOffset) => {
    claim = await storeFileBatch(pool, claim, records, nextOffset, { signal, onFault });
  });
  try {
    for await (const line of readLines(file.bytes)) {
      signal.throwIfAborted();
      if (!isBlank(line.bytes)) await batcher.add(line.number, line.bytes);
    }
    await batcher.flush();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // What was read before the fault is as good as any other.
    await batcher.flush().catch(() => {});
    throw new Error(
      `${file.name} is stored up to line ${Math.max(0, claim.nextOffset - 1)} and cannot be read on: ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  }
  return await retryPassingFaults(() => readSourceCounts(pool, claim.sourceId), { signal, onFault });
}

/**
 * Ingests files of records, one per line, on the same path that Kafka's records take. Each reading of a file is a source
 * of its own in the log; records stored by an earlier reading count as duplicates.
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
  const { pool, signal, onFault = () => {} } = options;
  return { counts, headPosition: await retryPassingFaults(() => readHeadPosition(pool), { signal, onFault }) };
}
