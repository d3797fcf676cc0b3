import { useEffect, useState } from 'preact/hooks';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { go } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../../shared/states.tsx';
import { inWords, whole } from '../figures.ts';
import { status } from '../live/follow-status.ts';
import { AUTHORIZATION, type DeadLetter, type DeadLetterGroup, deadLetterCounts, deadLetterPage } from '../requests.ts';
import { hrefOf, type LetterFilter } from '../route.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';
import { Filters } from './filters.tsx';
import { Discard, Retry } from './settle.tsx';

const FIRST_COLUMN: Column<DeadLetter> = {
  name: 'id',
  title: 'Dead letter',
  value: ({ id }) => id,
  cell: ({ id }) => <a href={hrefOf({ view: 'dead-letter', id })}>{id}</a>,
};

const COLUMNS: Column<DeadLetter>[] = [
  {
    name: 'received_at',
    title: 'Received',
    value: ({ received_at }) => received_at,
    cell: ({ received_at }) => <At time={received_at} />,
  },
  {
    name: 'origin',
    title: 'Came from',
    value: ({ topic }) => topic,
    cell: ({ topic, partition, offset }) => `${topic}/${partition} at ${whole(offset)}`,
  },
  { name: 'reason', title: 'Reason', value: ({ reason }) => inWords(reason) },
  {
    name: 'message',
    title: 'What is wrong',
    value: ({ message }) => message,
    cell: ({ message }) => <span class="message">{message}</span>,
  },
  { name: 'resolution', title: 'Settled', value: ({ resolution }) => resolution ?? 'open' },
];

function chosenColumn(chosen: ReadonlySet<number>, onChange: (chosen: Set<number>) => void): Column<DeadLetter> {
  return {
    name: 'chosen',
    title: 'Choose',
    isControl: true,
    value: ({ id }) => (chosen.has(id) ? 0 : 1),
    cell: ({ id, resolution }) =>
      resolution === null && (
        <input
          type="checkbox"
          aria-label={`Choose dead letter ${id}`}
          checked={chosen.has(id)}
          onChange={({ currentTarget }) => {
            const next = new Set(chosen);
            if (currentTarget.checked) next.add(id);
            else next.delete(id);
            onChange(next);
          }}
        />
      ),
  };
}

/** A filter takes the field of one index, or what is above: `/events` for `/events/*`. */
function filterField(field: string | null): string {
  return field?.split('/*')[0] ?? '';
}

function groupColumns(filter: LetterFilter): Column<DeadLetterGroup>[] {
  return [
    {
      name: 'reason',
      title: 'Reason',
      value: ({ reason }) => reason,
      cell: ({ reason, field }) => (
        <a href={hrefOf({ view: 'dead-letters', filter: { ...filter, reason, field: filterField(field) } })}>
          {inWords(reason)}
        </a>
      ),
    },
    {
      name: 'field',
      title: 'Field',
      value: ({ field }) => field,
      cell: ({ field }) => (field ? <code>{field}</code> : 'the record'),
    },
    {
      name: 'dead_letters',
      title: 'Open',
      isNumber: true,
      value: (group) => group.dead_letters,
      cell: (group) => whole(group.dead_letters),
    },
    {
      name: 'last_received_at',
      title: 'Newest',
      value: (group) => group.last_received_at,
      cell: (group) => <At time={group.last_received_at} />,
    },
  ];
}

/** The dead letters that a filter lets through: grouped by their fault, and the newest of them. */
export function DeadLettersView({ filter }: { filter: LetterFilter }) {
  const [asked, setAsked] = useState(0);
  const [outcome, setOutcome] = useState('');
  const [before, setBefore] = useState<readonly number[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const version = `${asked} ${status.value?.dead_letters}`;
  const counting = deadLetterCounts(filter);
  const counts = useLatest(counting, version);
  const listing = deadLetterPage(filter, before.at(-1) ?? null);
  const page = useLatest(listing, version);
  const failure = page.failure ?? counts.failure;
  const groups = counts.answer?.groups ?? [];
  const count = groups.reduce((sum, { dead_letters }) => sum + dead_letters, 0);
  const letters = page.answer?.dead_letters ?? [];
  const onDone = (sentence: string) => {
    setOutcome(sentence);
    setChosen(new Set());
    setAsked(asked + 1);
  };
  // Of what is no longer in sight, nothing stays chosen.
  useEffect(() => setChosen(new Set()), [listing.address]);
  const choice = { kind: 'ids', ids: [...chosen] } as const;
  const all = { kind: 'all', filter, count } as const;
  return (
    <>
      <PageHead title="Dead letters">
        {chosen.size > 0 && (
          <>
            <Retry choice={choice} onDone={onDone} />
            <Discard choice={choice} onDone={onDone} />
          </>
        )}
        {chosen.size === 0 && count > 0 && (
          <>
            <Retry choice={all} onDone={onDone} />
            <Discard choice={all} onDone={onDone} />
          </>
        )}
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      <Filters filter={filter} onChange={(next) => go(hrefOf({ view: 'dead-letters', filter: next }))} />
      {failure && <FailureView failure={failure} />}
      {!page.answer && !page.failure && <Loading what="dead letters" />}
      {page.answer && letters.length === 0 && (
        <Empty title="No dead letters">
          <p>None that {filter.all ? '' : 'is open and '}matches.</p>
        </Empty>
      )}
      {groups.length > 0 && (
        <section>
          <h2>{whole(count)} open, by fault</h2>
          <DataTable
            caption="Dead letters by fault"
            columns={groupColumns(filter)}
            rows={groups}
            keyOf={({ reason, field }) => `${reason} ${field}`}
            rowsPerPage={10}
          />
        </section>
      )}
      {letters.length > 0 && (
        <section>
          <h2>Newest first</h2>
          <DataTable
            caption="Dead letters"
            columns={[FIRST_COLUMN, chosenColumn(chosen, setChosen), ...COLUMNS]}
            rows={letters}
            keyOf={({ id }) => String(id)}
          />
          <div class="actions">
            {before.length > 0 && (
              <button type="button" onClick={() => setBefore(before.slice(0, -1))}>
                Newer
              </button>
            )}
            {page.answer?.next_before && (
              <button type="button" onClick={() => setBefore([...before, page.answer?.next_before ?? 0])}>
                Older
              </button>
            )}
          </div>
        </section>
      )}
      <RequestPanel
        questions={[counting, listing]}
        answers={[counts.answer, page.answer]}
        authorization={AUTHORIZATION}
      />
    </>
  );
}
