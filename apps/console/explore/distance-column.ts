import { computedColumn } from '../shared/columns.ts';
import type { Column } from '../shared/data-table.tsx';
import { DISTANCE_SYMBOLS, decimal, distanceIn } from '../shared/format.ts';
import type { Units } from '../shared/preferences.ts';

/** A column of distances in the reader's units, which are also part of its name and title. */
export function distanceColumn<Row>(
  name: string,
  title: string,
  units: Units,
  miles: (row: Row) => number,
): Column<Row> {
  const distance = (row: Row) => distanceIn(units, miles(row));
  return computedColumn(`${name}_${units}`, `${title}, ${DISTANCE_SYMBOLS[units]}`, distance, decimal);
}
