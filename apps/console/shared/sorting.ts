import type { CsvColumn } from './csv.ts';

/** The sort order of a table. */
export interface Sorting {
  /** The name of a column. */
  by: string;
  descending: boolean;
}

const COLLATOR = new Intl.Collator();

/** The rows sorted by a column. In both directions, rows without a value come last. */
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
    return sign * COLLATOR.compare(String(one), String(other));
  });
  return keyed.map(({ row }) => row);
}
