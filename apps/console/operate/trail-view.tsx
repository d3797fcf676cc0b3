import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../shared/states.tsx';
import { AUTHORIZATION, type TrailPage, trailPage } from './requests.ts';
import { At } from './times.tsx';
import { useLatest } from './use-latest.ts';

type Entry = TrailPage['operations'][number];

const COLUMNS: Column<Entry>[] = [
  { name: 'at', title: 'When', value: ({ at }) => at, cell: ({ at }) => <At time={at} /> },
  { name: 'actor', title: 'Who', value: ({ actor }) => actor },
  {
    name: 'via',
    title: 'By',
    value: ({ via }) => String(via),
    cell: ({ via }) => (via === 'cli' ? 'command' : 'HTTP'),
  },
  { name: 'action', title: 'Action', value: ({ action }) => action, cell: ({ action }) => <code>{action}</code> },
  {
    name: 'parameters',
    title: 'With',
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

/** Who changed what, when, and what came of it. */
export function TrailView() {
  const [before, setBefore] = useState<readonly number[]>([]);
  const question = trailPage(before.at(-1) ?? null);
  const { answer, failure } = useLatest(question, null);
  const next = answer?.next_before ?? null;
  return (
    <>
      <PageHead title="Audit trail" />
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the audit trail" />}
      {answer?.operations.length === 0 && (
        <Empty title="Nothing was changed yet">
          <p>What operators change, or try to change, is recorded here.</p>
        </Empty>
      )}
      {answer && answer.operations.length > 0 && (
        <DataTable caption="Audit trail" columns={COLUMNS} rows={answer.operations} keyOf={({ id }) => String(id)} />
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
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
