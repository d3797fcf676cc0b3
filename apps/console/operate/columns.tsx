import { column, numberColumn } from '../shared/columns.ts';
import { integerText } from './text.ts';
import { Timestamp } from './timestamp.tsx';

/** A column of integers, with commas between thousands and a dash for null. */
export function integerColumn<Name extends string, Row extends Record<Name, number | null>>(name: Name, title: string) {
  return numberColumn<Name, Row>(name, title, integerText);
}

/** A column of the API's timestamps, with a dash for null. */
export function timeColumn<Name extends string, Row extends Record<Name, string | null>>(name: Name, title: string) {
  return column<Name, Row>(name, title, (time) => <Timestamp time={time} />);
}

/** A column of identifiers, in a monospaced font. */
export function codeColumn<Name extends string, Row extends Record<Name, string | null>>(name: Name, title: string) {
  return column<Name, Row>(name, title, (text) => <code>{text}</code>);
}
