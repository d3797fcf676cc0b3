import { WARNINGS } from '@milepost/domain/record-warnings';
import type { DeadLetterReason, RecordWarning } from '@milepost/domain/records';

/** A group of records with the same reason for the same field. */
export interface Finding {
  reason: DeadLetterReason | RecordWarning['reason'];
  /** A path in the record, where `*` matches any index; null for the whole record. */
  field: string | null;
  records: number;
  /** The line numbers of the first of these records. */
  lines: number[];
  /** The message of the first record. */
  message: string;
}

const MAX_FINDINGS = 500;
const FIRST_LINES = 3;

/** Counts records by reason and field. */
export class Findings {
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

  /** Returns the groups, the largest first. */
  list(): Finding[] {
    return [...this.#all.values()]
      .sort((left, right) => right.records - left.records)
      .map(({ lastLine: _, ...finding }) => finding);
  }
}
