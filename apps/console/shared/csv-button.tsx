import { toCsv } from './csv.ts';
import type { Column } from './data-table.tsx';
import { download } from './download.ts';

interface CsvButtonProps<Row> {
  /** The name of the file. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/**
 * A button that saves rows as a CSV file, without the columns that contain controls. The button is disabled if there
 * are no rows.
 */
export function CsvButton<Row>({ name, columns, rows }: CsvButtonProps<Row>) {
  const inFile = columns.filter(({ isControl }) => !isControl);
  return (
    <button type="button" disabled={rows.length === 0} onClick={() => download(name, 'text/csv', toCsv(inFile, rows))}>
      Download CSV
    </button>
  );
}
