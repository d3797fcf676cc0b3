import type { ComponentChildren } from 'preact';
import { DataTable, type TableProps } from '../shared/data-table.tsx';

interface TableSectionProps<Row> extends Omit<TableProps<Row>, 'caption'> {
  /** The heading, and the caption of the table. */
  title: string;
  /** Shown between the heading and the table. */
  children?: ComponentChildren;
}

/** A section that contains a table. */
export function TableSection<Row>({ title, children, ...table }: TableSectionProps<Row>) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
      <DataTable caption={title} {...table} />
    </section>
  );
}
