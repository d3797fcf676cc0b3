import { column, numberColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, NONE } from '../../shared/format.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { PageHead } from '../../shared/page.tsx';
import { reads, type Schemas } from '../api.ts';
import { codeColumn, integerColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { DifferenceDays } from '../replays/difference-days.tsx';
import { integerText, secondsText, wordsOf } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';

type Fault = Schemas['AuditFault'];
type Event = Fault['positions'][number];

const TABLES: Column<Schemas['AuditedProjection']>[] = [
  column('projection', 'Projection'),
  numberColumn('generation', 'Generation'),
  integerColumn('checkpoint', 'Checkpoint'),
  integerColumn('expected_rows', 'Rows expected'),
  integerColumn('actual_rows', 'Rows found'),
  numberColumn('differences', 'Differences', (differences) => (
    <span class={differences === 0 ? '' : 'fault'}>{integerText(differences)}</span>
  )),
];

/** A stored event's subject, with a link to the lineage if it is a trip. */
function Subject({ event: { fleet_id, driver_id, trip_id } }: { event: Event }) {
  if (trip_id !== null) return <a href={hrefOf({ view: 'trip', tripId: trip_id })}>trip {trip_id}</a>;
  return <>{driver_id === null ? fleet_id : `driver ${driver_id} of ${fleet_id}`}</>;
}

const EVENTS: Column<Event>[] = [
  column('position', 'Position', integerText),
  codeColumn('kind', 'Kind'),
  { name: 'subject', title: 'Subject', value: ({ fleet_id }) => fleet_id, cell: (event) => <Subject event={event} /> },
  numberColumn('revision', 'Revision'),
  {
    name: 'origin',
    title: 'Source',
    value: ({ topic }) => topic,
    cell: ({ topic, partition, offset }) => (topic === null ? NONE : `${topic}/${partition} at ${integerText(offset)}`),
  },
];

function FaultView({ fault, number }: { fault: Fault; number: number }) {
  const { check, projection, day, key, detail, positions } = fault;
  return (
    <li>
      <p>
        <b class="fault">{wordsOf(check)}</b>
        {projection !== null && ` in ${projection}`}
        {day !== null && `, ${day}`}
        {key !== null && (
          <>
            , <code>{key}</code>
          </>
        )}
      </p>
      <p>{detail}</p>
      {positions.length > 0 && (
        <details>
          <summary>{countText(positions.length, 'stored event')}</summary>
          <DataTable caption={`Stored events affected by fault ${number}`} columns={EVENTS} rows={positions} />
        </details>
      )}
    </li>
  );
}

/** An audit: each read table's comparison with the log, and every fault with its stored events. */
export function AuditView({ id }: { id: number }) {
  return (
    <>
      <PageHead title={`Audit ${id}`} />
      <Loaded request={reads.audit(id)} what="the audit">
        {({ equal, at, position, seconds, report: { projections, faults } }) => (
          <>
            <p class={`health ${equal ? 'well' : 'ill'}`}>
              {equal ? 'The audit found no faults.' : `${countText(faults.length, 'fault')} found.`}{' '}
              <Timestamp time={at} />, up to position {integerText(position)}, in {secondsText(seconds)}.
            </p>
            {projections.length > 0 && (
              <DataTable caption="Comparison of the read tables with the log" columns={TABLES} rows={projections} />
            )}
            {projections
              .filter(({ differing_days }) => differing_days.length > 0)
              .map(({ projection, differing_days, differing_day_count }) => (
                <section key={projection}>
                  <h2>Days of {projection} that differ</h2>
                  <DifferenceDays
                    days={differing_days.map(({ day, expected_rows, actual_rows }) => ({
                      day,
                      before: expected_rows,
                      after: actual_rows,
                    }))}
                    total={differing_day_count}
                    before="expected"
                    after="found"
                  />
                </section>
              ))}
            {faults.length > 0 && (
              <section>
                <h2>Findings</h2>
                <ol class="cards">
                  {faults.map((fault, index) => (
                    <FaultView
                      key={`${fault.check} ${fault.projection} ${fault.key} ${fault.detail}`}
                      fault={fault}
                      number={index + 1}
                    />
                  ))}
                </ol>
              </section>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
