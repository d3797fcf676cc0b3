import { type Column, DataTable } from '../../shared/data-table.tsx';
import { inWords, whole } from '../figures.ts';
import type { Status } from '../requests.ts';

type Warning = Status['warnings'][number];

const COLUMNS: Column<Warning>[] = [
  { name: 'topic', title: 'Topic', value: ({ topic }) => topic },
  { name: 'reason', title: 'Warning', value: ({ reason }) => inWords(String(reason)) },
  {
    name: 'field',
    title: 'Field',
    value: ({ field }) => field,
    cell: ({ field }) => <code>{field === '' ? 'the record' : field}</code>,
  },
  {
    name: 'records',
    title: 'Records',
    isNumber: true,
    value: ({ records }) => records,
    cell: ({ records }) => whole(records),
  },
];

/** What is odd in records that were stored. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section>
      <h2>Warnings</h2>
      <p class="quiet">These records are legal and odd. They are stored as they are.</p>
      <DataTable
        caption="Warnings"
        columns={COLUMNS}
        rows={warnings}
        keyOf={({ topic, reason, field }) => `${topic} ${reason} ${field}`}
      />
    </section>
  );
}
