import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CsvColumn } from './csv.ts';
import { isPrinting } from './printing.ts';
import { type Sorting, sortRows } from './sorting.ts';

/** A column in a table and in its CSV file. */
export interface Column<Row> extends CsvColumn<Row> {
  title: string;
  /** Returns the content of a cell. By default, a cell shows the value. */
  cell?: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  /** Whether the cells contain controls, which are not printed. */
  isControl?: boolean;
  /** If false, the column is only in the CSV file. */
  isShown?: boolean;
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns a string that identifies a row: by default, the value of the first column. */
  keyOf?: (row: Row) => string;
  /** The order of the rows, which the reader can change. Without it, the table cannot be sorted. */
  sorting?: Signal<Sorting | null>;
  /** The number of rows on a page: thousands of rows would make the browser slow. A printed table contains all rows. */
  rowsPerPage?: number;
  /** Shown instead of a table without rows. A string becomes a paragraph. */
  empty?: ComponentChildren;
}

function classOf({ isNumber, isControl }: Pick<Column<unknown>, 'isNumber' | 'isControl'>): string {
  if (isControl) return 'control';
  return isNumber ? 'number' : '';
}

interface HeadProps<Row> {
  column: Column<Row>;
  sorting: Signal<Sorting | null> | undefined;
}

function Head<Row>({ column, sorting }: HeadProps<Row>) {
  const current = sorting?.value;
  const isSorted = current?.by === column.name;
  const direction = current?.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={classOf(column)} {...(isSorted ? { 'aria-sort': direction } : {})}>
      {sorting ? (
        <button
          type="button"
          class="sort"
          onClick={() => {
            sorting.value = { by: column.name, descending: isSorted && !current.descending };
          }}
        >
          {column.title}
          <span class="arrow" aria-hidden="true">
            {isSorted ? (current.descending ? '↓' : '↑') : ''}
          </span>
        </button>
      ) : (
        column.title
      )}
    </th>
  );
}

/** A table whose first column contains the row headers. */
export function DataTable<Row>({ caption, columns, rows, keyOf, sorting, rowsPerPage = 100, empty }: TableProps<Row>) {
  const idOf = keyOf ?? ((row: Row) => String(columns[0]?.value(row)));
  const [page, setPage] = useState(0);
  const shown = columns.filter(({ isShown = true }) => isShown);
  const order = sorting?.value ?? null;
  const sorted = useMemo(() => sortRows(rows, columns, order), [rows, columns, order]);
  const pages = Math.max(1, Math.ceil(sorted.length / rowsPerPage));
  const current = Math.min(page, pages - 1);
  if (empty !== undefined && rows.length === 0) return typeof empty === 'string' ? <p class="quiet">{empty}</p> : empty;
  const seen = isPrinting.value ? sorted : sorted.slice(current * rowsPerPage, (current + 1) * rowsPerPage);
  return (
    <div class="table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach what scrolls. */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Head key={column.name} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.map((row) => (
              <tr key={idOf(row)}>
                {shown.map((column, index) => {
                  const Cell = index === 0 ? 'th' : 'td';
                  return (
                    <Cell key={column.name} {...(index === 0 ? { scope: 'row' } : {})} class={classOf(column)}>
                      {column.cell ? column.cell(row) : column.value(row)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <nav class="pages" aria-label={`Pages of ${caption}`}>
          <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Previous
          </button>
          <span>
            Page {current + 1} of {pages}
          </span>
          <button type="button" disabled={current === pages - 1} onClick={() => setPage(current + 1)}>
            Next
          </button>
        </nav>
      )}
    </div>
  );
}
