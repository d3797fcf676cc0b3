import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../shared/states.tsx';
import { AUTHORIZATION, type AuditTrail, auditTrailPage } from './api.ts';
import { Timestamp } from './timestamp.tsx';

type Entry = AuditTrail['operations'][number];

const COLUMNS: Column<Entry>[] = [
  { name: 'at', title: 'Time', value: ({ at }) => at, cell: ({ at }) => <Timestamp time={at} /> },
  { name: 'actor', title: 'Operator', value: ({ actor }) => actor },
  {
    name: 'via',
    title: 'Via',
    value: ({ via }) => String(via),
    cell: ({ via }) => (via === 'cli' ? 'command' : 'HTTP'),
  },
  { name: 'action', title: 'Action', value: ({ action }) => action, cell: ({ action }) => <code>{action}</code> },
  {
    name: 'parameters',
    title: 'Parameters',
    value: ({ parameters }) => JSON.stringify(parameters),
    cell: ({ parameters }) => <code class="message">{JSON.stringify(parameters)}</code>,
  },
  {
    name: 'outcome',
    title: 'Outcome',
    value: ({ outcome }) => String(outcome),
    cell: ({ outcome, detail }) => (
      <span class={outcome === 'done' ? '' : 'fault'}>
        {String(outcome)}
        {detail !== null && `: ${detail}`}
      </span>
    ),
  },
];

/** The changes of operators, with their time and outcome. */
export function AuditTrailView() {
  const [before, setBefore] = useState<readonly number[]>([]);
  const request = auditTrailPage(before.at(-1) ?? null);
  const { data, error } = useQuery(request);
  const next = data?.next_before ?? null;
  return (
    <>
      <PageHead title="Audit trail" />
      {error && <FailureView failure={error.failure} />}
      {!data && !error && <Loading what="the audit trail" />}
      {data?.operations.length === 0 && (
        <Empty title="No changes yet">
          <p>The audit trail records each change that an operator makes or tries to make.</p>
        </Empty>
      )}
      {data && data.operations.length > 0 && (
        <DataTable caption="Audit trail" columns={COLUMNS} rows={data.operations} keyOf={({ id }) => String(id)} />
      )}
      <div class="actions">
        {before.length > 0 && (
          <button type="button" onClick={() => setBefore(before.slice(0, -1))}>
            Newer
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setBefore([...before, next])}>
            Older
          </button>
        )}
      </div>
      <RequestPanel requests={[request]} data={[data]} authorization={AUTHORIZATION} />
    </>
  );
}
