import { useEffect, useState } from 'preact/hooks';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../../shared/states.tsx';
import { ChangeButton } from '../change-button.tsx';
import { counted, secondsText, whole } from '../figures.ts';
import { tick } from '../live/follow-status.ts';
import { AUTHORIZATION, type AuditPage, auditPage, changes } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';

type Row = AuditPage['audits'][number];

const COLUMNS: Column<Row>[] = [
  {
    name: 'id',
    title: 'Audit',
    value: ({ id }) => id,
    cell: ({ id }) => <a href={hrefOf({ view: 'audit', id })}>{id}</a>,
  },
  {
    name: 'faults',
    title: 'Result',
    value: ({ faults }) => faults,
    cell: ({ equal, faults }) => (equal ? 'nothing found' : <span class="fault">{counted(faults, 'fault')}</span>),
  },
  { name: 'at', title: 'When', value: ({ at }) => at, cell: ({ at }) => <At time={at} /> },
  { name: 'projection', title: 'Looked at', value: ({ projection }) => projection ?? 'all read tables' },
  {
    name: 'position',
    title: 'Log up to',
    isNumber: true,
    value: ({ position }) => position,
    cell: ({ position }) => whole(position),
  },
  {
    name: 'seconds',
    title: 'Took',
    isNumber: true,
    value: ({ seconds }) => seconds,
    cell: ({ seconds }) => secondsText(seconds),
  },
];

/** Recounts of the live read tables from the log, newest first. */
export function AuditsView() {
  /** The newest audit when one was asked for: a newer one is its result. Null: none is awaited. */
  const [awaited, setAwaited] = useState<{ after: number } | null>(null);
  const question = auditPage(null);
  const { answer, failure } = useLatest(question, awaited === null ? null : tick.value);
  const newest = answer?.audits[0]?.id ?? 0;
  const isThere = awaited !== null && newest > awaited.after;
  useEffect(() => {
    if (isThere) setAwaited(null);
  }, [isThere]);
  return (
    <>
      <PageHead title="Audits">
        <ChangeButton
          label="Run an audit"
          title="Run an audit"
          action="Run"
          className="primary"
          isDisabled={awaited !== null || !answer}
          request={changes.startAudit}
          onDone={() => setAwaited({ after: newest })}
        >
          <p>
            It recounts the live read tables from the event log, beside all other work. It changes nothing but this
            list.
          </p>
        </ChangeButton>
      </PageHead>
      <p role="status" class="outcome">
        {awaited !== null && 'An audit was asked for: its result comes here once a worker has done it.'}
      </p>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="audits" />}
      {answer?.audits.length === 0 && (
        <Empty title="No audits yet">
          <p>An audit compares the read tables with what the event log says.</p>
        </Empty>
      )}
      {answer && answer.audits.length > 0 && (
        <DataTable
          caption="Audits"
          columns={COLUMNS}
          rows={answer.audits}
          keyOf={({ id }) => String(id)}
          rowsPerPage={50}
        />
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
