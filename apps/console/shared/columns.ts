import type { ComponentChildren } from 'preact';
import type { Column } from './data-table.tsx';
import { NONE } from './format.ts';

type Value = string | number | null;

/** A column whose cells show the values in a different form. */
export function column<Row, Of extends Value>(
  name: string,
  title: string,
  value: (row: Row) => Of,
  show: (value: Of, row: Row) => ComponentChildren,
): Column<Row> {
  return { name, title, value, cell: (row) => show(value(row), row) };
}

/** A column of numbers, with a dash for null. */
export function numberColumn<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null,
  show: (value: number) => string,
): Column<Row> {
  const cell = (number: number | null) => (number === null ? NONE : show(number));
  return { ...column(name, title, value, cell), isNumber: true };
}
