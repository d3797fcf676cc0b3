import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertCreatable, writeNewFile } from '@milepost/archive/new-file';
import { inSnapshot, type Pool, ROLES } from '@milepost/postgres';
import { findLaneOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import {
  COLUMNS,
  isKnownFleet,
  type Row,
  type RowsRequest,
  readPages,
  type Subject,
} from '@milepost/projections/exports';
import { withDirectory, withPool } from '../database.ts';
import { processSignal } from '../process.ts';
import { type Progress, withProgressBar } from '../progress.ts';
import { parquetChunks } from './parquet.ts';
import { csvChunks, ndjsonChunks } from './text.ts';

export type Format = 'csv' | 'ndjson' | 'parquet';

/** The rows to export, and their format. Exported for tests. */
export interface ExportRequest extends RowsRequest {
  subject: Subject;
  format: Format;
}

function encode(pages: AsyncIterable<readonly Row[]>, subject: Subject, format: Format) {
  const columns = COLUMNS[subject];
  const names = Object.keys(columns);
  if (format === 'csv') return csvChunks(names, pages);
  return format === 'ndjson' ? ndjsonChunks(names, pages) : parquetChunks(columns, pages);
}

async function* reported(pages: AsyncIterable<readonly Row[]>, onProgress: Progress['update']) {
  let rows = 0;
  for await (const page of pages) {
    yield page;
    rows += page.length;
    onProgress(rows, null);
  }
}

/**
 * Reads the rows from one snapshot of the lane, and passes the encoded chunks to `write`. Only one page of rows, or one
 * row group of a Parquet file, is in memory at a time. Nothing is retried after an error, because `write` may already
 * have passed on some of the rows.
 *
 * @param pool connections made as a role that may read the read tables
 * @throws when the read tables do not contain records of the fleet. Exported for tests.
 */
export async function exportRows(
  pool: Pool,
  { subject, format, ...request }: ExportRequest,
  write: (chunks: AsyncIterable<string | Uint8Array>) => Promise<void>,
  onProgress: Progress['update'] = () => {},
): Promise<void> {
  await inSnapshot(pool, async (transaction) => {
    if (!(await isKnownFleet(transaction, request.fleetId)))
      throw new Error(
        `The read tables contain no records of fleet ${request.fleetId}: \`milepost fleets list\` lists all fleets.`,
      );
    await write(encode(reported(readPages(transaction, subject, request), onProgress), subject, format));
  });
}

/** Runs `milepost export`, which finds the fleet's lane and writes the fleet's rows to a new file or to stdout. */
export async function runExport(request: ExportRequest, file: string | undefined): Promise<void> {
  const signal = processSignal();
  if (file !== undefined) await assertCreatable(file);
  const write = async (chunks: AsyncIterable<string | Uint8Array>) => {
    if (file !== undefined) await writeNewFile(file, chunks, signal);
    else await pipeline(Readable.from(chunks), process.stdout, { signal, end: false });
  };
  const lane = await withDirectory((directory) => findLaneOfFleet(directory, request.fleetId));
  await withProgressBar('Exporting', ' rows', async (onProgress) => {
    await withPool(ROLES.projector, (pool) => exportRows(pool, request, write, onProgress), lane);
  });
}
