import { stat } from 'node:fs/promises';
import { readHeadPosition } from '@milepost/event-log';
import { type Pool, type RetryOptions, retryPassingFaults } from '@milepost/postgres';
import { type ArchiveRange, closedRange } from './range.ts';
import { recordLine } from './record-line.ts';
import { readStoredEvents, type StoredEventRow } from './sql/read-stored-events.ts';
import { assertAbsent, assertFolder, writeZstdFile } from './write-file.ts';

/** Lines are handed on in chunks of about so many characters: a write per line would cost more than the line. */
const CHUNK_CHARACTERS = 1024 * 1024;

export interface ExportArchiveOptions {
  /** Connections in the role `milepost_projector`, which may read the whole log. */
  pool: Pool;
  /** Where the archive goes; `.ndjson.zst` is what `milepost ingest` knows it by. */
  file: string;
  /** The first position; 1 unless given. */
  from?: number;
  /** The last position, at most the head; the head unless given. */
  through?: number;
  signal: AbortSignal;
  onProgress?: (positions: number, total: number) => void;
  /** Told of each passing fault, before the wait (in milliseconds) for the next attempt. */
  onFault?: RetryOptions['onFault'];
}

export interface ExportedArchive extends ArchiveRange {
  file: string;
  /** Lines of the archive. */
  stored_events: number;
  /** Of the file, packed. */
  bytes: number;
}

type Read = (after: number) => Promise<StoredEventRow[]>;

/** The stored events of a range in batches; while one is being worked on the next is read. */
async function* batches(read: Read, { from, through }: ArchiveRange): AsyncGenerator<StoredEventRow[]> {
  let last = from - 1;
  let next = read(last);
  while (last < through) {
    const rows = await next;
    for (const { position } of rows) {
      if (position !== last + 1) break;
      last = position;
    }
    if (rows.at(-1)?.position !== last) throw new Error(`The log has no stored event at position ${last + 1}.`);
    if (last < through) {
      next = read(last);
      // Whoever asks for the next batch sees the failure; until then it must not count as unhandled.
      next.catch(() => {});
    }
    yield rows;
  }
}

/**
 * Writes the stored events of a closed range of positions to a new file, one line each: a record that the pipeline could
 * have published, with its place in the log in the field `milepost`. `milepost ingest` reads it back; into an empty log
 * an archive from position 1 restores the same log, but that what follows an erased stored event moves up. Holds one batch of packed trips and about a megabyte of lines at a time.
 *
 * @throws when the range is empty or ends behind the head, the file exists, or its folder does not
 */
export async function exportArchive(options: ExportArchiveOptions): Promise<ExportedArchive> {
  const { pool, file, signal, onProgress = () => {}, onFault = () => {} } = options;
  await assertFolder(file);
  await assertAbsent(file);
  const retry = { signal, onFault };
  const head = await retryPassingFaults(() => readHeadPosition(pool), retry);
  const range = closedRange(head, options.from, options.through);
  const read: Read = (after) => retryPassingFaults(() => readStoredEvents(pool, after, range.through), retry);
  let lines = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    let text = '';
    for await (const rows of batches(read, range)) {
      for (const row of rows) {
        if (row.erased) continue;
        text += `${recordLine(row, range)}\n`;
        lines += 1;
        if (text.length < CHUNK_CHARACTERS) continue;
        yield Buffer.from(text);
        text = '';
        onProgress(row.position - range.from + 1, range.through - range.from + 1);
      }
    }
    yield Buffer.from(text);
  }
  await writeZstdFile(file, chunks(), signal);
  const { size } = await stat(file);
  return { file, ...range, stored_events: lines, bytes: size };
}
