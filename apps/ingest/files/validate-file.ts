import { WARNINGS } from '@milepost/domain/record-warnings';
import { type DeadLetterReason, nameWarnings, type RecordWarning, recordFaults } from '@milepost/domain/records';
import { readArchivedRecord } from '@milepost/event-log/prepare';
import { sizeOf } from './open.ts';
import { recordLines } from './record-lines.ts';

/** A group of records with the same fault or warning for the same field. */
interface Finding {
  reason: DeadLetterReason | RecordWarning['reason'];
  /** A path in the record, where `*` matches any index; null for the whole record. */
  field: string | null;
  records: number;
  /** The line numbers of the first few of these records. */
  lines: number[];
  /** The message for the first record. */
  message: string;
}

const MAX_FINDINGS = 500;
const FIRST_LINES = 3;

/** Counts records by reason and field. */
class Findings {
  readonly #all = new Map<string, Finding & { lastLine: number }>();
  /** Whether some groups are missing from the list. */
  isCutOff = false;

  add(line: number, reason: Finding['reason'], field: string | null, message: string): void {
    const anywhere = field?.replaceAll(/\/\d+(?=\/|$)/g, '/*') ?? null;
    const key = `${reason} ${anywhere}`;
    const known = this.#all.get(key);
    if (known === undefined) {
      if (this.#all.size < MAX_FINDINGS) {
        this.#all.set(key, { reason, field: anywhere, records: 1, lines: [line], message, lastLine: line });
      } else this.isCutOff = true;
    } else if (known.lastLine !== line) {
      known.records += 1;
      known.lastLine = line;
      if (known.lines.length < FIRST_LINES) known.lines.push(line);
    }
  }

  addWarning(line: number, { reason, field, name }: RecordWarning): void {
    if (name === undefined) this.add(line, reason, field, WARNINGS[reason]);
    else if (reason === 'unknown_field') this.add(line, reason, `${field}/${name}`, WARNINGS[reason]);
    else this.add(line, reason, field.replace(/[^/]*$/, name), `Did you mean ${field}? It is missing.`);
  }

  /** Returns the groups, largest first. */
  list(): Finding[] {
    return [...this.#all.values()]
      .sort((left, right) => right.records - left.records)
      .map(({ lastLine: _, ...finding }) => finding);
  }
}

/** The effect that a file's records would have on an empty log. Each record belongs to one of the three counts. */
export interface ValidatedFile {
  read: number;
  /** The number of records that would be stored. */
  accepted: number;
  /** The number of records with the same content as an earlier record in the file. */
  duplicates: number;
  refused: number;
  /** All errors in the refused records. */
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
/** The maximum number of revisions to keep in memory. Duplicates of any other revisions are not detected. */
const MAX_REVISIONS = 1_000_000;

/**
 * Reads a file with the same functions as `ingestFiles`, but does not read the log or store anything. Reports which
 * records would be refused, with all their errors.
 *
 * @throws NoRecordLinesError
 */
export async function validateFile({ file, signal, onProgress }: ValidateFileOptions): Promise<ValidatedFile> {
  const totalBytes = await sizeOf(file);
  let bytesRead = 0;
  const onRead = (bytes: number) => {
    bytesRead += bytes;
    onProgress(bytesRead, totalBytes);
  };
  const counts = { read: 0, accepted: 0, duplicates: 0, refused: 0 };
  const faults = new Findings();
  const warnings = new Findings();
  const revisions = new Map<string, { contentHash: string; line: number }>();
  for await (const { offset: line, value: bytes, refusal } of recordLines(file, signal, onRead)) {
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
