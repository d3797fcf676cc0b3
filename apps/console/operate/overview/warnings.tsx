import { column } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import type { Status } from '../api.ts';
import { integerColumn } from '../columns.tsx';
import { wordsOf } from '../text.ts';

type Warning = Status['warnings'][number];

const COLUMNS: Column<Warning>[] = [
  column('topic', 'Topic'),
  { name: 'reason', title: 'Warning', value: ({ reason }) => wordsOf(reason) },
  column('field', 'Field', (field) => <code>{field === '' ? 'the whole record' : field}</code>),
  integerColumn('records', 'Records'),
];

/** The warnings about stored records. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section>
      <h2>Warnings</h2>
      <p class="quiet">These records are valid but unusual. They are stored unchanged.</p>
      <DataTable
        caption="Warnings"
        columns={COLUMNS}
        rows={warnings}
        keyOf={({ topic, reason, field }) => `${topic} ${reason} ${field}`}
      />
    </section>
  );
}
