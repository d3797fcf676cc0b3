import { type Column, DataTable } from '../../shared/data-table.tsx';
import { NONE } from '../../shared/format.ts';
import { inWords, whole } from '../figures.ts';
import type { DriverDayTrace, TracedEvent, TripTrace } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { At } from '../times.tsx';

type Duplicate = TripTrace['duplicates'][number];
type Letter = TripTrace['dead_letters'][number];
type Others = Pick<TripTrace, 'duplicates' | 'dead_letters' | 'incomplete' | 'answer_position'>;
type Counted = DriverDayTrace['stored_events'][number];

function originText({ topic, partition, offset }: { topic: string; partition: number; offset: number }): string {
  return `${topic}/${partition} at ${whole(offset)}`;
}

const STORED: Column<TracedEvent>[] = [
  { name: 'position', title: 'Position', value: ({ position }) => position, cell: ({ position }) => whole(position) },
  { name: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => <code>{kind}</code> },
  { name: 'revision', title: 'Revision', isNumber: true, value: ({ revision }) => revision },
  {
    name: 'state',
    title: 'State',
    value: ({ state }) => String(state),
    cell: ({ state, supersedes, superseded_by }) => (
      <>
        {state === 'current' ? <b>current</b> : inWords(String(state))}
        {supersedes !== null && `, took the place of ${whole(supersedes)}`}
        {superseded_by !== null && `, gave way to ${whole(superseded_by)}`}
      </>
    ),
  },
  { name: 'driver_id', title: 'Driver', value: ({ driver_id }) => driver_id ?? NONE },
  { name: 'origin', title: 'Came from', value: originText },
  {
    name: 'stored_at',
    title: 'Stored',
    value: ({ stored_at }) => stored_at,
    cell: ({ stored_at }) => <At time={stored_at} />,
  },
];

const TRIP: Column<TracedEvent> = {
  name: 'trip_id',
  title: 'Trip',
  value: ({ trip_id }) => trip_id,
  cell: ({ trip_id }) =>
    trip_id === null ? NONE : <a href={hrefOf({ view: 'trip', tripId: trip_id })}>{trip_id.slice(0, 8)}…</a>,
};

/** Stored events in the order given. */
export function StoredEvents({ title, events }: { title: string; events: readonly TracedEvent[] }) {
  return (
    <section>
      <h2>{title}</h2>
      {events.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <DataTable caption={title} columns={STORED} rows={events} keyOf={({ position }) => String(position)} />
      )}
    </section>
  );
}

/** Stored events of a day, and which of them its summary sums up. */
export function CountedEvents({ title, events }: { title: string; events: readonly Counted[] }) {
  const columns: Column<Counted>[] = [
    ...STORED,
    TRIP,
    { name: 'counted', title: 'In the summary', value: ({ counted }) => (counted ? 'yes' : 'no') },
  ];
  return (
    <section>
      <h2>{title}</h2>
      {events.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <DataTable caption={title} columns={columns} rows={events} keyOf={({ position }) => String(position)} />
      )}
    </section>
  );
}

const DUPLICATES: Column<Duplicate>[] = [
  { name: 'origin', title: 'Came from', value: originText },
  {
    name: 'position',
    title: 'Held already at',
    isNumber: true,
    value: ({ position }) => position,
    cell: ({ position }) => whole(position),
  },
  {
    name: 'received_at',
    title: 'Received',
    value: ({ received_at }) => received_at,
    cell: ({ received_at }) => <At time={received_at} />,
  },
];

const LETTERS: Column<Letter>[] = [
  {
    name: 'id',
    title: 'Dead letter',
    value: ({ id }) => id,
    cell: ({ id }) => <a href={hrefOf({ view: 'dead-letter', id })}>{id}</a>,
  },
  { name: 'reason', title: 'Reason', value: ({ reason }) => inWords(reason) },
  { name: 'message', title: 'What is wrong', value: ({ message }) => message },
  { name: 'origin', title: 'Came from', value: originText },
  {
    name: 'resolution',
    title: 'Settled',
    value: ({ resolution }) => (resolution === null ? 'open' : String(resolution)),
  },
];

/** What every trace tells beside its stored events. */
export function OtherRecords({ trace: { duplicates, dead_letters, incomplete, answer_position } }: { trace: Others }) {
  return (
    <>
      <section>
        <h2>Duplicates</h2>
        {duplicates.length === 0 ? (
          <p class="quiet">No record came twice.</p>
        ) : (
          <DataTable caption="Duplicates" columns={DUPLICATES} rows={duplicates} keyOf={originText} />
        )}
      </section>
      <section>
        <h2>Dead letters about it</h2>
        {dead_letters.length === 0 ? (
          <p class="quiet">No record about it was refused.</p>
        ) : (
          <DataTable
            caption="Dead letters about it"
            columns={LETTERS}
            rows={dead_letters}
            keyOf={({ id }) => String(id)}
          />
        )}
      </section>
      {incomplete.length > 0 && (
        <p class="health ill">
          These lists reached their limit and may lack entries: {incomplete.map(inWords).join(', ')}.
        </p>
      )}
      <p class="quiet">Answers show the log up to position {whole(answer_position)}.</p>
    </>
  );
}
