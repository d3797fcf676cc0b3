/** A column of a CSV file. */
export interface CsvColumn<Row> {
  name: string;
  value: (row: Row) => string | number | null;
}

/** Characters that make a spreadsheet evaluate a cell that begins with them. */
const FORMULA = /^[=+\-@\t\r\n]/;

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // A leading apostrophe makes a spreadsheet treat the cell as text, so that a driver's name is not run as a formula.
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180), with a header line. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => field(name)),
    ...rows.map((row) => columns.map(({ value }) => field(value(row)))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
