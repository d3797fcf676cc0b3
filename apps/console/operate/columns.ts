import type { Column } from '../shared/data-table.tsx';
import { integerText } from './text.ts';

/** A column of integers, with commas between thousands and a dash for null. */
export function integerColumn<Row>(name: string, title: string, value: (row: Row) => number | null): Column<Row> {
  return { name, title, isNumber: true, value, cell: (row) => integerText(value(row)) };
}
