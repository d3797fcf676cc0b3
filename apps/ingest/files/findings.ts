import { WARNINGS } from '@milepost/domain/record-warnings';
import type { DeadLetterReason, RecordWarning } from '@milepost/domain/records';

/** What several records have: the same reason at the same field. */
export interface Finding {
  reason: DeadLetterReason | RecordWarning['reason'];
  /** A path in the record, `*` standing for any index; null: the record as a whole. */
  field: string | null;
  records: number;
  /** The first ones. */
  lines: number[];
  /** Of the first record. */
  message: string;
}

const MOST_FINDINGS = 500;
const FIRST_LINES = 3;

/** Counts records by reason and field. */
export class Findings {
  readonly #all = new Map<string, Finding & { lastLine: number }>();
  /** Whether there are more kinds than are kept. */
  isCutOff = false;

  add(line: number, reason: Finding['reason'], field: string | null, message: string): void {
    const anywhere = field?.replaceAll(/\/\d+(?=\/|$)/g, '/*') ?? null;
    const key = `${reason} ${anywhere}`;
    const known = this.#all.get(key);
    if (known === undefined) {
      if (this.#all.size < MOST_FINDINGS) {
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
    else this.add(line, reason, field.replace(/[^/]*$/, name), `Likely ${field} is meant, which is absent.`);
  }

  /** Those of the most records first. */
  list(): Finding[] {
    return [...this.#all.values()]
      .sort((left, right) => right.records - left.records)
      .map(({ lastLine: _, ...finding }) => finding);
  }
}
