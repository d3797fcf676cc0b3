import { column } from '../../shared/columns.ts';
import type { Column } from '../../shared/data-table.tsx';
import type { Schemas } from '../api.ts';
import { integerColumn } from '../columns.tsx';
import { TableSection } from '../table-section.tsx';
import { wordsOf } from '../text.ts';

type Warning = Schemas['WarningCount'];

const COLUMNS: Column<Warning>[] = [
  column('topic', 'Topic'),
  { name: 'reason', title: 'Warning', value: ({ reason }) => wordsOf(reason) },
  column('field', 'Field', (field) => <code>{field === '' ? 'the whole record' : field}</code>),
  integerColumn('records', 'Records'),
];

/** The warnings about stored records. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <TableSection
      title="Warnings"
      columns={COLUMNS}
      rows={warnings}
      keyOf={({ topic, reason, field }) => `${topic} ${reason} ${field}`}
    >
      <p class="quiet">These records are valid but unusual. They are stored unchanged.</p>
    </TableSection>
  );
}
