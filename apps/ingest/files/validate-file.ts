import { nameWarnings, recordFaults } from '@milepost/domain/records';
import { readArchivedRecord } from '@milepost/event-log';
import { type Finding, Findings } from './findings.ts';
import { sizeOf } from './open.ts';
import { openRecordLines } from './record-lines.ts';

/** What would become of a file's records in an empty log: each is in one of the three counts. */
export interface ValidatedFile {
  read: number;
  /** Those that would be stored. */
  accepted: number;
  /** The same content again, further up in the file. */
  duplicates: number;
  refused: number;
  /** All that is wrong with those refused. */
  faults: Finding[];
  /** What is legal and odd; of those refused, unknown names only. */
  warnings: Finding[];
  /** Whether there are more kinds of faults or warnings than listed. */
  cut_off: boolean;
}

interface ValidateFileOptions {
  /** NDJSON, also `.gz` and `.zst`; `-` is standard input. */
  file: string;
  signal: AbortSignal;
  /** The bytes read so far, and of how many; null for standard input. */
  onProgress: (bytesRead: number, totalBytes: number | null) => void;
}

/** So many faults are told of one record at most. */
const MOST_FAULTS = 10_000;
/** Of later revisions nobody looks whether the file has them already: they are kept in memory. */
const MOST_REVISIONS = 1_000_000;

/**
 * Reads a file as `ingestFiles` does, by the same functions, and stores nothing: says which records would be refused, and
 * everything that is wrong with them. It knows nothing of what the log holds.
 *
 * @throws NoRecordLinesError
 */
export async function validateFile({ file, signal, onProgress }: ValidateFileOptions): Promise<ValidatedFile> {
  const totalBytes = await sizeOf(file);
  let bytesRead = 0;
  const { lines } = await openRecordLines(file, (bytes) => {
    bytesRead += bytes;
    onProgress(bytesRead, totalBytes);
  });
  const counts = { read: 0, accepted: 0, duplicates: 0, refused: 0 };
  const faults = new Findings();
  const warnings = new Findings();
  const revisions = new Map<string, { contentHash: string; line: number }>();
  for await (const { number: line, bytes } of lines) {
    signal.throwIfAborted();
    counts.read += 1;
    const now = Date.now();
    const prepared = readArchivedRecord(bytes, now);
    if (!prepared.storable) {
      counts.refused += 1;
      let told = 0;
      for (const { reason, field, message } of recordFaults(bytes, now)) {
        faults.add(line, reason, field, message);
        told += 1;
        if (told === MOST_FAULTS) break;
      }
      for (const warning of nameWarnings(bytes)) warnings.addWarning(line, warning);
      continue;
    }
    const { subject, record, contentHash, warnings: odd = [] } = prepared.draft;
    const key = `${subject} ${record.revision}`;
    const first = revisions.get(key);
    if (first === undefined) {
      counts.accepted += 1;
      if (revisions.size < MOST_REVISIONS) revisions.set(key, { contentHash, line });
    } else if (first.contentHash === contentHash) counts.duplicates += 1;
    else {
      counts.refused += 1;
      const message = `Revision ${record.revision} is on line ${first.line} with other content: changed content needs a higher revision.`;
      faults.add(line, 'revision_conflict', '/revision', message);
    }
    for (const warning of odd) warnings.addWarning(line, warning);
  }
  const cut_off = faults.isCutOff || warnings.isCutOff;
  return { ...counts, faults: faults.list(), warnings: warnings.list(), cut_off };
}
