import { useSignal } from '@preact/signals';
import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { choiceColumn } from '../../shared/choice-column.tsx';
import { column } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { navigate } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../../shared/states.tsx';
import { reads, type Schemas } from '../api.ts';
import { integerColumn, timeColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { usePages } from '../pages.tsx';
import type { DeadLetterFilter } from '../route.ts';
import { integerText, originText, wordsOf } from '../text.ts';
import type { Choice } from './choice.ts';
import { Filters } from './filters.tsx';
import { Settle } from './settle.tsx';

type DeadLetter = Schemas['DeadLetter'];

const FIRST_COLUMN: Column<DeadLetter> = column('id', 'Dead letter', (id) => (
  <a href={hrefOf({ view: 'dead-letter', id })}>{id}</a>
));

const COLUMNS: Column<DeadLetter>[] = [
  timeColumn('received_at', 'Received'),
  {
    name: 'origin',
    title: 'Source',
    value: ({ topic }) => topic,
    cell: (deadLetter) => <span class="origin">{originText(deadLetter)}</span>,
  },
  { name: 'reason', title: 'Reason', value: ({ reason }) => wordsOf(reason) },
  column('message', 'Fault', (message) => <span class="message">{message}</span>),
  { name: 'resolution', title: 'Settled', value: ({ resolution }) => resolution ?? 'open' },
];

function choiceLabel({ id, resolution }: DeadLetter): string | null {
  return resolution === null ? `Select dead letter ${id}` : null;
}

/** A group's field in the form that a filter expects, such as `/events` for `/events/*`. */
function filterField(field: string | null): string {
  return field?.split('/*')[0] ?? '';
}

function groupColumns(filter: DeadLetterFilter): Column<Schemas['DeadLetterGroup']>[] {
  return [
    column('reason', 'Reason', (reason, { field }) => (
      <a href={hrefOf({ view: 'dead-letters', filter: { ...filter, reason, field: filterField(field) } })}>
        {wordsOf(reason)}
      </a>
    )),
    column('field', 'Field', (field) => (field ? <code>{field}</code> : 'the record')),
    integerColumn('dead_letters', 'Open'),
    timeColumn('last_received_at', 'Newest'),
  ];
}

/** The dead letters that match a filter, both grouped by fault and one by one. */
export function DeadLettersView({ filter }: { filter: DeadLetterFilter }) {
  const [outcome, setOutcome] = useState('');
  const pages = usePages();
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const summaryRequest = reads.deadLetterSummary(filter);
  const summary = useQuery(summaryRequest);
  const pageRequest = reads.deadLetterPage(filter, pages.before);
  const page = useQuery(pageRequest);
  const error = page.error ?? summary.error;
  const groups = summary.data?.groups ?? [];
  const count = groups.reduce((sum, { dead_letters }) => sum + dead_letters, 0);
  const deadLetters = page.data?.dead_letters ?? [];
  const clearChosen = () => {
    chosen.value = new Set();
  };
  const onDone = (sentence: string) => {
    setOutcome(sentence);
    clearChosen();
  };
  // Only visible dead letters can be selected.
  useEffect(clearChosen, [pageRequest.address]);
  const choice: Choice =
    chosen.value.size > 0 ? { kind: 'ids', ids: [...chosen.value] } : { kind: 'all', filter, count };
  return (
    <>
      <PageHead title="Dead letters">
        {(chosen.value.size > 0 || count > 0) && <Settle key={choice.kind} choice={choice} onDone={onDone} />}
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      <Filters filter={filter} onChange={(next) => navigate(hrefOf({ view: 'dead-letters', filter: next }))} />
      {error && <FailureView failure={error.failure} />}
      {!page.data && !page.error && <Loading what="dead letters" />}
      {page.data && deadLetters.length === 0 && (
        <Empty title="No dead letters">No {filter.all ? '' : 'open '}dead letter matches the filter.</Empty>
      )}
      {groups.length > 0 && (
        <section>
          <h2>{integerText(count)} open, by fault</h2>
          <DataTable
            caption="Dead letters by fault"
            columns={groupColumns(filter)}
            rows={groups}
            keyOf={({ reason, field }) => `${reason} ${field}`}
            rowsPerPage={10}
          />
        </section>
      )}
      {deadLetters.length > 0 && (
        <section>
          <h2>Newest first</h2>
          <DataTable
            caption="Dead letters"
            columns={[FIRST_COLUMN, choiceColumn('id', 'Select', chosen, choiceLabel), ...COLUMNS]}
            rows={deadLetters}
          />
          {pages.buttons(page.data?.next_before ?? null)}
        </section>
      )}
      <RequestPanel requests={[summaryRequest, pageRequest]} data={[summary.data, page.data]} />
    </>
  );
}
