import type { ComparableRows } from './compare.ts';

/** Separates the fields of a value. No id can contain this character. */
const SEPARATOR = '\u001f';

/**
 * SQL that computes from the log what a projection's read table should contain. This SQL does not share code with the
 * fold, so an error in the fold cannot affect both sides.
 */
export interface Audit {
  /** The fields that `auditedValue` combines in `expected` and in `actual`. */
  fields: readonly string[];
  /** The rows that follow from the log up to position `$1`. */
  expected: ComparableRows;
  /** The rows of a read table. */
  actual(table: string): ComparableRows;
  /**
   * SQL that selects, as `position`, the stored events behind the row identified by `wanted.day` (text or null) and
   * `wanted.key` (text).
   */
  causes: string;
}

/**
 * Returns an SQL expression for a value composed of these fields. `sql` contains the expression for each field. Null
 * becomes an empty string.
 */
export function auditedValue(fields: readonly string[], sql: Record<string, string>): string {
  const texts = fields.map((field) => {
    const text = sql[field];
    if (text === undefined) throw new Error(`The audited value lacks its field ${field}.`);
    return text;
  });
  return `concat(${texts.join(`, E'\\x1f', `)})`;
}

/** Describes in words which fields of two values differ. */
export function describeFields(fields: readonly string[], expected: string, actual: string): string {
  const [wanted, found] = [expected.split(SEPARATOR), actual.split(SEPARATOR)];
  const shown = (text: string | undefined) => (text === undefined || text === '' ? 'nothing' : text);
  return fields
    .flatMap((field, index) =>
      wanted[index] === found[index]
        ? []
        : [`${field} is ${shown(found[index])} but should be ${shown(wanted[index])}`],
    )
    .join('; ');
}
