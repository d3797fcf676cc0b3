import type { ComponentChildren } from 'preact';
import type { Column } from './data-table.tsx';
import { NONE } from './format.ts';

type Value = string | number | null;

/** A column of the rows' `name` field. By default, the cells show the values as they are. */
export function column<Name extends string, Row extends Record<Name, Value>>(
  name: Name,
  title: string,
  show: (value: Row[Name], row: Row) => ComponentChildren = (value) => value,
): Column<Row> {
  return { name, title, value: (row) => row[name], cell: (row) => show(row[name], row) };
}

/** A column of the numbers in the rows' `name` field, with a dash for null. */
export function numberColumn<Name extends string, Row extends Record<Name, number | null>>(
  name: Name,
  title: string,
  show: (value: number) => ComponentChildren = String,
): Column<Row> {
  return computedColumn(name, title, (row) => row[name], show);
}

/** A column of numbers that are computed from the rows, with a dash for null. */
export function computedColumn<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null,
  show: (value: number) => ComponentChildren,
): Column<Row> {
  const cell = (row: Row) => {
    const number = value(row);
    return number === null ? NONE : show(number);
  };
  return { name, title, isNumber: true, value, cell };
}
