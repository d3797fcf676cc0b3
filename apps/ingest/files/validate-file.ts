import { nameWarnings, recordFaults } from '@milepost/domain/records';
import { readArchivedRecord } from '@milepost/event-log';
import { type Finding, Findings } from './findings.ts';
import { sizeOf } from './open.ts';
import { openRecordLines } from './record-lines.ts';

/**
 * What would happen if a file's records were read into an empty log. Each record belongs to exactly one of the three
 * counts.
 */
export interface ValidatedFile {
  read: number;
  /** The number of records that would be stored. */
  accepted: number;
  /** The number of records whose content occurs earlier in the file. */
  duplicates: number;
  refused: number;
  /** All errors of the refused records. */
  faults: Finding[];
  /** The unusual but valid parts of the records; for refused records, only unknown names. */
  warnings: Finding[];
  /** Whether some groups of faults or warnings are missing from the lists. */
  cut_off: boolean;
}

interface ValidateFileOptions {
  /** NDJSON, plain, `.gz` or `.zst`; `-` is standard input. */
  file: string;
  signal: AbortSignal;
  /** Called with the number of bytes read so far and the total size, which is null for standard input. */
  onProgress: (bytesRead: number, totalBytes: number | null) => void;
}

/** The maximum number of faults to report for one record. */
const MAX_FAULTS = 10_000;
/** The maximum number of revisions to keep in memory. Duplicates of any further revisions are not detected. */
const MAX_REVISIONS = 1_000_000;

/**
 * Reads a file with the same functions as `ingestFiles`, but neither reads the log nor stores anything. Reports which
 * records would be refused, with all their errors.
 *
 * @throws NoRecordLinesError
 */
export async function validateFile({ file, signal, onProgress }: ValidateFileOptions): Promise<ValidatedFile> {
  const totalBytes = await sizeOf(file);
  let bytesRead = 0;
  const { lines } = await openRecordLines(file, signal, (bytes) => {
    bytesRead += bytes;
    onProgress(bytesRead, totalBytes);
  });
  const counts = { read: 0, accepted: 0, duplicates: 0, refused: 0 };
  const faults = new Findings();
  const warnings = new Findings();
  const revisions = new Map<string, { contentHash: string; line: number }>();
  for await (const { number: line, bytes, refusal } of lines) {
    signal.throwIfAborted();
    counts.read += 1;
    if (refusal) {
      counts.refused += 1;
      faults.add(line, refusal.reason, refusal.field, refusal.message);
      continue;
    }
    const now = Date.now();
    const prepared = readArchivedRecord(bytes, now);
    if (!prepared.storable) {
      counts.refused += 1;
      let reported = 0;
      for (const { reason, field, message } of recordFaults(bytes, now)) {
        faults.add(line, reason, field, message);
        reported += 1;
        if (reported === MAX_FAULTS) break;
      }
      for (const warning of nameWarnings(bytes)) warnings.addWarning(line, warning);
      continue;
    }
    const { subject, record, contentHash, warnings: odd = [] } = prepared.draft;
    const key = `${subject} ${record.revision}`;
    const first = revisions.get(key);
    if (first === undefined) {
      counts.accepted += 1;
      if (revisions.size < MAX_REVISIONS) revisions.set(key, { contentHash, line });
    } else if (first.contentHash === contentHash) counts.duplicates += 1;
    else {
      counts.refused += 1;
      const message = `Revision ${record.revision} is on line ${first.line} with different content: changed content needs a higher revision.`;
      faults.add(line, 'revision_conflict', '/revision', message);
    }
    for (const warning of odd) warnings.addWarning(line, warning);
  }
  const cut_off = faults.isCutOff || warnings.isCutOff;
  return { ...counts, faults: faults.list(), warnings: warnings.list(), cut_off };
}
