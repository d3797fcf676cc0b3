import { type Columns, declare, type RowOf, type TableStatement } from './statement.ts';

/** The placeholder for the table in the text of a table statement. */
export const table = (name: string): string => name;

/**
 * Declares a statement on a generation's table, as `statement` does. Functions in the template receive the table's
 * name. The statement's name starts with the projection's name.
 */
export function tableStatement<const Declared extends Columns = Record<never, never>>(
  name: string,
  columns?: Declared,
) {
  return (text: TemplateStringsArray, ...parts: (string | number | ((table: string) => string))[]) =>
    declare<TableStatement<RowOf<Declared>>>(name, (table) => {
      const filled = parts.map((part) => (typeof part === 'function' ? part(table) : part));
      return { name: `${name}:${table}`, text: String.raw({ raw: text }, ...filled), columns };
    });
}
