import { column, numberColumn } from '../../shared/columns.ts';
import type { Column } from '../../shared/data-table.tsx';
import { NONE } from '../../shared/format.ts';
import type { Schemas } from '../api.ts';
import { codeColumn, integerColumn, timeColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { TableSection } from '../table-section.tsx';
import { chainText, integerText, originText, wordsOf } from '../text.ts';

type StoredEvent = Schemas['StoredEvent'];
type CountedEvent = Schemas['CountedEvent'];
type Others = Pick<Schemas['TraceTripAnswer'], 'duplicates' | 'dead_letters' | 'incomplete' | 'answer_position'>;

const STORED: Column<StoredEvent>[] = [
  column('position', 'Position', integerText),
  codeColumn('kind', 'Kind'),
  numberColumn('revision', 'Revision'),
  column('state', 'State', (state, event) => (
    <>
      {state === 'current' ? <b>current</b> : wordsOf(state)}
      {chainText(event)}
    </>
  )),
  { name: 'driver_id', title: 'Driver', value: ({ driver_id }) => driver_id ?? NONE },
  { name: 'origin', title: 'Source', value: originText },
  timeColumn('stored_at', 'Stored'),
];

const TRIP: Column<StoredEvent> = column('trip_id', 'Trip', (tripId) =>
  tripId === null ? NONE : <a href={hrefOf({ view: 'trip', tripId })}>{tripId.slice(0, 8)}…</a>,
);

/** A table of stored events. */
export function StoredEvents({ title, events }: { title: string; events: readonly StoredEvent[] }) {
  return <TableSection title={title} columns={STORED} rows={events} empty="None." />;
}

/** A day's stored events. The last column shows which of them are included in the summary. */
export function CountedEvents({ title, events }: { title: string; events: readonly CountedEvent[] }) {
  const columns: Column<CountedEvent>[] = [
    ...STORED,
    TRIP,
    { name: 'counted', title: 'In the summary', value: ({ counted }) => (counted ? 'yes' : 'no') },
  ];
  return <TableSection title={title} columns={columns} rows={events} empty="None." />;
}

const DUPLICATES: Column<Schemas['Duplicate']>[] = [
  { name: 'origin', title: 'Source', value: originText },
  integerColumn('position', 'Stored at'),
  timeColumn('received_at', 'Received'),
];

const DEAD_LETTERS: Column<Others['dead_letters'][number]>[] = [
  column('id', 'Dead letter', (id) => <a href={hrefOf({ view: 'dead-letter', id })}>{id}</a>),
  { name: 'reason', title: 'Reason', value: ({ reason }) => wordsOf(reason) },
  column('message', 'Fault'),
  { name: 'origin', title: 'Source', value: originText },
  { name: 'resolution', title: 'Settled', value: ({ resolution }) => resolution ?? 'open' },
];

/** The duplicates and dead letters in a trace. */
export function OtherRecords({ trace: { duplicates, dead_letters, incomplete, answer_position } }: { trace: Others }) {
  return (
    <>
      <TableSection title="Duplicates" columns={DUPLICATES} rows={duplicates} empty="There are no duplicates." />
      <TableSection
        title="Dead letters"
        columns={DEAD_LETTERS}
        rows={dead_letters}
        empty="There are no dead letters."
      />
      {incomplete.length > 0 && (
        <p class="health ill">
          These lists are incomplete because they reached their limit: {incomplete.map(wordsOf).join(', ')}.
        </p>
      )}
      <p class="quiet">The API reflects the event log up to position {integerText(answer_position)}.</p>
    </>
  );
}
