import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { column, numberColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, QueryState } from '../../shared/states.tsx';
import { changes, reads, type Schemas } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import { integerColumn, timeColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { secondsText } from '../text.ts';

/** The interval between requests while an audit is pending. */
const REFETCH_MILLISECONDS = 2_000;

const COLUMNS: Column<Schemas['ListedAudit']>[] = [
  column('id', 'Audit', (id) => <a href={hrefOf({ view: 'audit', id })}>{id}</a>),
  column('faults', 'Result', (faults, { equal }) =>
    equal ? 'no findings' : <span class="fault">{countText(faults, 'fault')}</span>,
  ),
  timeColumn('at', 'Time'),
  { name: 'projection', title: 'Scope', value: ({ projection }) => projection ?? 'all read tables' },
  integerColumn('position', 'Position'),
  numberColumn('seconds', 'Duration', secondsText),
];

/** The audits of the live read tables, newest first. */
export function AuditsView() {
  /** The id of the audit that was newest when the operator requested another. Null if no request is pending. */
  const [pending, setPending] = useState<{ after: number } | null>(null);
  const request = reads.auditPage(null);
  const { data, error } = useQuery({
    ...request,
    refetchInterval: pending === null ? false : REFETCH_MILLISECONDS,
  });
  const newest = data?.audits[0]?.id ?? 0;
  const isDone = pending !== null && newest > pending.after;
  useEffect(() => {
    if (isDone) setPending(null);
  }, [isDone]);
  return (
    <>
      <PageHead title="Audits">
        <ChangeButton
          label="Run an audit"
          action="Run"
          className="primary"
          isDisabled={pending !== null || !data}
          request={changes.startAudit}
          onDone={() => setPending({ after: newest })}
        >
          <p>
            An audit recomputes every row of the live read tables from the event log. It changes only this list and does
            not interrupt other work.
          </p>
        </ChangeButton>
      </PageHead>
      <p role="status" class="outcome">
        {pending !== null && 'The audit has been requested. Its result will appear here once a worker has finished it.'}
      </p>
      <QueryState data={data} error={error} what="audits" />
      {data && (
        <DataTable
          caption="Audits"
          columns={COLUMNS}
          rows={data.audits}
          rowsPerPage={50}
          empty={<Empty title="No audits yet">An audit compares the read tables with the event log.</Empty>}
        />
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
