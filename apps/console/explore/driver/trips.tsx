import type { Trip } from '@milepost/client';
import { latestVisibleEnd } from '@milepost/domain/answer-times';
import type { CalendarDate } from '@milepost/domain/calendar';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { momentText } from '../../shared/calendar-text.ts';
import { choiceColumn } from '../../shared/choice-column.tsx';
import { column, computedColumn, numberColumn } from '../../shared/columns.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { fileName } from '../../shared/download.ts';
import { countText, decimal, durationText } from '../../shared/format.ts';
import { Moment } from '../../shared/moment.tsx';
import { type Units, units } from '../../shared/preferences.ts';
import { RequestPanel } from '../../shared/request-panel.tsx';
import type { Sorting } from '../../shared/sorting.ts';
import { Empty, FailureView, Loading } from '../../shared/states.tsx';
import { distanceColumn } from '../distance-column.ts';
import { hrefOf } from '../route.ts';
import { useTrips } from './use-trips.ts';

const MAX_COMPARED = 2;

function count(name: keyof Trip['event_summary'], title: string): Column<Trip> {
  return computedColumn(name, title, ({ event_summary }) => event_summary[name], String);
}

function columnsIn(chosenUnits: Units): Column<Trip>[] {
  return [
    column('trip_start_time', 'Start (UTC)', (start, { trip_id }) => (
      <a href={hrefOf({ view: 'trip', tripId: trip_id })}>
        <Moment at={start} />
      </a>
    )),
    { ...column('trip_id', ''), isShown: false },
    { ...column('trip_end_time', ''), isShown: false },
    numberColumn('duration_seconds', 'Duration', durationText),
    distanceColumn('distance', 'Distance', chosenUnits, ({ distance_miles }) => distance_miles),
    distanceColumn('highway', 'Highway', chosenUnits, ({ highway_miles }) => highway_miles),
    count('phone_use_count', 'Phone'),
    count('overspeeding_count', 'Speeding'),
    count('hard_brake_count', 'Brakes'),
    count('rapid_acceleration_count', 'Accel.'),
  ];
}

function compareLabel({ trip_start_time }: Trip): string {
  return `Compare the trip of ${momentText(trip_start_time, true)}`;
}

/** The trips in a period. The reader can select two trips to compare. */
export function Trips({ driverId, from, through }: { driverId: string; from: CalendarDate; through: CalendarDate }) {
  const { requests, data, failure, trips, isComplete } = useTrips(driverId, from, through);
  const sorting = useSignal<Sorting | null>({ by: 'trip_start_time', descending: true });
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => columnsIn(units.value), [units.value]);
  const shown = useMemo(
    () => [...columns, choiceColumn('trip_id', 'Compare', chosen, compareLabel, MAX_COMPARED)],
    [columns, chosen.value],
  );
  const progress = failure
    ? `${countText(trips.length, 'trip')} loaded. `
    : `Loading trips … ${decimal(trips.length, 0)} so far. `;
  const name = fileName(`trips-${driverId}-${from}-${through}.csv`);
  return (
    <>
      <div class="under">
        <p class="quiet" role="status">
          {isComplete ? `${countText(trips.length, 'trip')}. ` : progress}A trip appears 4 hours after it ends: the list
          contains trips that had ended by <Moment at={latestVisibleEnd(Date.now())} /> UTC.
        </p>
        <span class="actions">
          {chosen.value.size === MAX_COMPARED && (
            <a class="button" href={hrefOf({ view: 'compare', tripIds: [...chosen.value] })}>
              Compare these two
            </a>
          )}
          <CsvButton name={name} columns={columns} rows={isComplete ? trips : []} />
        </span>
      </div>
      {failure && <FailureView failure={failure} />}
      {!failure && !isComplete && trips.length === 0 && <Loading what="trips" />}
      {isComplete && trips.length === 0 && (
        <Empty title="No trips in this period">Select another period. The calendar shows the days with trips.</Empty>
      )}
      {trips.length > 0 && (
        <DataTable
          caption="Trips"
          columns={shown}
          rows={trips}
          keyOf={({ trip_id }) => trip_id}
          sorting={sorting}
          rowsPerPage={50}
        />
      )}
      <RequestPanel requests={requests} data={data} />
    </>
  );
}
