import { useQuery } from '@tanstack/preact-query';
import { column } from '../shared/columns.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { Empty, QueryState } from '../shared/states.tsx';
import { reads, type Schemas } from './api.ts';
import { codeColumn, timeColumn } from './columns.tsx';
import { usePages } from './pages.tsx';

const COLUMNS: Column<Schemas['RecordedOperation']>[] = [
  timeColumn('at', 'Time'),
  column('actor', 'Operator'),
  column('via', 'Via', (via) => (via === 'cli' ? 'command' : 'HTTP')),
  codeColumn('action', 'Action'),
  {
    name: 'parameters',
    title: 'Parameters',
    value: ({ parameters }) => JSON.stringify(parameters),
    cell: ({ parameters }) => <code class="message">{JSON.stringify(parameters)}</code>,
  },
  column('outcome', 'Outcome', (outcome, { detail }) => (
    <span class={outcome === 'done' ? '' : 'fault'}>
      {outcome}
      {detail !== null && `: ${detail}`}
    </span>
  )),
];

/** The operators' changes, with their times and outcomes. */
export function AuditTrailView() {
  const pages = usePages();
  const request = reads.auditTrailPage(pages.before);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title="Audit trail" />
      <QueryState data={data} error={error} what="the audit trail" />
      {data && (
        <DataTable
          caption="Audit trail"
          columns={COLUMNS}
          rows={data.operations}
          keyOf={({ id }) => String(id)}
          empty={
            <Empty title="No changes yet">
              The audit trail records each change that an operator makes or tries to make.
            </Empty>
          }
        />
      )}
      {/* The way back stays while a page is loading, or if it cannot be loaded. */}
      {pages.buttons(data?.next_before ?? null)}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
