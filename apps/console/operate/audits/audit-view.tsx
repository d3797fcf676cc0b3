import { type Column, DataTable } from '../../shared/data-table.tsx';
import { NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { counted, inWords, secondsText, whole } from '../figures.ts';
import { DifferenceDays } from '../replays/difference-days.tsx';
import { AUTHORIZATION, type Audit, audit as auditQuestion } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';

type Table = Audit['report']['projections'][number];
type Fault = Audit['report']['faults'][number];
type Event = Fault['positions'][number];

const TABLES: Column<Table>[] = [
  { name: 'projection', title: 'Projection', value: ({ projection }) => projection },
  { name: 'generation', title: 'Generation', isNumber: true, value: ({ generation }) => generation },
  {
    name: 'checkpoint',
    title: 'Checkpoint',
    isNumber: true,
    value: ({ checkpoint }) => checkpoint,
    cell: ({ checkpoint }) => whole(checkpoint),
  },
  {
    name: 'expected_rows',
    title: 'Rows expected',
    isNumber: true,
    value: (row) => row.expected_rows,
    cell: (row) => whole(row.expected_rows),
  },
  {
    name: 'actual_rows',
    title: 'Rows found',
    isNumber: true,
    value: (row) => row.actual_rows,
    cell: (row) => whole(row.actual_rows),
  },
  {
    name: 'differences',
    title: 'Differences',
    isNumber: true,
    value: ({ differences }) => differences,
    cell: ({ differences }) => <span class={differences === 0 ? '' : 'fault'}>{whole(differences)}</span>,
  },
];

/** What a stored event is about, as a link to its lineage where there is one. */
function Subject({ event: { fleet_id, driver_id, trip_id } }: { event: Event }) {
  if (trip_id !== null) return <a href={hrefOf({ view: 'trip', tripId: trip_id })}>trip {trip_id}</a>;
  return <>{driver_id === null ? fleet_id : `driver ${driver_id} of ${fleet_id}`}</>;
}

const EVENTS: Column<Event>[] = [
  { name: 'position', title: 'Position', value: ({ position }) => position, cell: ({ position }) => whole(position) },
  { name: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => <code>{kind}</code> },
  { name: 'subject', title: 'About', value: ({ fleet_id }) => fleet_id, cell: (event) => <Subject event={event} /> },
  { name: 'revision', title: 'Revision', isNumber: true, value: ({ revision }) => revision },
  {
    name: 'origin',
    title: 'Came from',
    value: ({ topic }) => topic,
    cell: ({ topic, partition, offset }) => (topic === null ? NONE : `${topic}/${partition} at ${whole(offset)}`),
  },
];

function FaultView({ fault, number }: { fault: Fault; number: number }) {
  const { check, projection, day, key, detail, positions } = fault;
  return (
    <li>
      <p>
        <b class="fault">{inWords(check)}</b>
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
          <summary>{counted(positions.length, 'stored event')} behind it</summary>
          <DataTable
            caption={`Stored events behind fault ${number}`}
            columns={EVENTS}
            rows={positions}
            keyOf={({ position }) => String(position)}
          />
        </details>
      )}
    </li>
  );
}

/** One audit: each read table against the log, and every fault with the stored events behind it. */
export function AuditView({ id }: { id: number }) {
  const question = auditQuestion(id);
  const { answer, failure } = useLatest(question, null);
  const differing = answer?.report.projections.filter(({ differing_days }) => differing_days.length > 0) ?? [];
  return (
    <>
      <PageHead title={`Audit ${id}`} />
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the audit" />}
      {answer && (
        <>
          <p class={`health ${answer.equal ? 'well' : 'ill'}`}>
            {answer.equal ? 'Nothing was found.' : `${counted(answer.report.faults.length, 'fault')} found.`}{' '}
            <At time={answer.at} />, the log up to position {whole(answer.position)}, in {secondsText(answer.seconds)}.
          </p>
          {answer.report.projections.length > 0 && (
            <DataTable
              caption="Read tables against the log"
              columns={TABLES}
              rows={answer.report.projections}
              keyOf={({ projection }) => projection}
            />
          )}
          {differing.map((table) => (
            <section key={table.projection}>
              <h2>Days of {table.projection} that differ</h2>
              <DifferenceDays
                days={table.differing_days.map(({ day, expected_rows, actual_rows }) => ({
                  day,
                  before: expected_rows,
                  after: actual_rows,
                }))}
                total={table.differing_day_count}
                before="expected"
                after="found"
              />
            </section>
          ))}
          {answer.report.faults.length > 0 && (
            <section>
              <h2>Findings</h2>
              <ol class="cards">
                {answer.report.faults.map((fault, index) => (
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
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
