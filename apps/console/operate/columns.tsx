import { column, numberColumn } from '../shared/columns.ts';
import type { Column } from '../shared/data-table.tsx';
import { integerText } from './text.ts';
import { Timestamp } from './timestamp.tsx';

/** A column of integers, with commas between thousands and a dash for null. */
export function integerColumn<Row>(name: string, title: string, value: (row: Row) => number | null): Column<Row> {
  return numberColumn(name, title, value, integerText);
}

/** A column of positions in the event log. */
export function positionColumn<Row extends { position: number }>(): Column<Row> {
  return column('position', 'Position', ({ position }) => position, integerText);
}

/** A column of the API's timestamps, with a dash for null. */
export function timeColumn<Row>(name: string, title: string, value: (row: Row) => string | null): Column<Row> {
  return column(name, title, value, (time) => <Timestamp time={time} />);
}

/** A column of identifiers, in a monospaced font. */
export function codeColumn<Row>(name: string, title: string, value: (row: Row) => string | null): Column<Row> {
  return column(name, title, value, (text) => <code>{text}</code>);
}
