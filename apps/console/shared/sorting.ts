import type { CsvColumn } from './csv.ts';

/** The order of a table. */
export interface Sorting {
  /** The name of a column. */
  by: string;
  descending: boolean;
}

const TEXTS = new Intl.Collator();

/** Rows in the order of a column; those without a value come last, whichever way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly CsvColumn<Row>[],
  sorting: Sorting | null,
): Row[] {
  const column = columns.find(({ name }) => name === sorting?.by);
  if (!column || !sorting) return [...rows];
  const sign = sorting.descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  keyed.sort(({ value: one }, { value: other }) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * TEXTS.compare(String(one), String(other));
  });
  return keyed.map(({ row }) => row);
}
