import type { ComparableRows, Comparison } from './compare.ts';

/** Separates the fields of a value. No id can contain this character. */
const SEPARATOR = '\u001f';

/** SQL expressions for a field's value in the rows that follow from the log, and in the rows of a read table. */
export type AuditedField = readonly [expected: string, actual: string];

/**
 * SQL that computes from the log what a projection's read table should contain. This SQL does not share code with the
 * fold, so an error in the fold cannot affect both sides.
 */
export interface Audit {
  /** The compared fields. */
  fields: Readonly<Record<string, AuditedField>>;
  /** The rows that follow from the log up to position `$1`. `value` is an SQL expression that combines the fields. */
  expected(value: string): ComparableRows;
  /** The rows of a read table. */
  actual(table: string, value: string): ComparableRows;
  /**
   * SQL that selects the `position` of each stored event behind a row. `wanted.day` (text or null) and `wanted.key`
   * (text) identify this row.
   */
  causes: string;
}

/** Returns both sides of the comparison of a read table with the log. A null field counts as an empty string. */
export function sidesOf({ fields, expected, actual }: Audit, table: string): Pick<Comparison, 'left' | 'right'> {
  const combined = (texts: readonly string[]) => `concat(${texts.join(`, E'\\x1f', `)})`;
  const both = Object.values(fields);
  return {
    left: expected(combined(both.map(([text]) => text))),
    right: actual(table, combined(both.map(([, text]) => text))),
  };
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
