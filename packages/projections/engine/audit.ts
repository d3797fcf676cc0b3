import type { ComparableRows } from './compare.ts';

/** Stands between the fields of a value; no id can hold it. */
const SEPARATOR = '\u001f';

/**
 * How to recount what a projection's read table should hold. It has nothing in common with the fold, so that a fault there
 * cannot hide behind itself.
 */
export interface Audit {
  /** What `auditedValue` of both sides consists of. */
  fields: readonly string[];
  /** The rows that the log up to position `$1` implies. */
  expected: ComparableRows;
  /** The rows of a read table. */
  actual(table: string): ComparableRows;
  /** SQL that lists, as `position`, the stored events behind the row `wanted.day` (text or null), `wanted.key` (text). */
  behind: string;
}

/** SQL of a value made of named fields, given as SQL each; absent ones are empty. */
export function auditedValue(fields: readonly string[], sql: Record<string, string>): string {
  const texts = fields.map((field) => {
    const text = sql[field];
    if (text === undefined) throw new Error(`The audited value lacks its field ${field}.`);
    return text;
  });
  return `concat(${texts.join(`, E'\\x1f', `)})`;
}

/** Which fields of two values differ, in words. */
export function describeFields(fields: readonly string[], expected: string, actual: string): string {
  const [wanted, found] = [expected.split(SEPARATOR), actual.split(SEPARATOR)];
  const told = (text: string | undefined) => (text === undefined || text === '' ? 'nothing' : text);
  return fields
    .flatMap((field, index) =>
      wanted[index] === found[index] ? [] : [`${field} is ${told(found[index])} and should be ${told(wanted[index])}`],
    )
    .join('; ');
}
