import type { TripDetail } from '@milepost/client';
import { useQueries } from '@tanstack/preact-query';
import { useMemo, useState } from 'preact/hooks';
import { momentText } from '../shared/calendar-text.ts';
import { column } from '../shared/columns.ts';
import { CsvButton } from '../shared/csv-button.tsx';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { Form } from '../shared/form.tsx';
import { DISTANCE_SYMBOLS, type Digits, decimal, distanceIn, NONE, signedText } from '../shared/format.ts';
import { navigate } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { type Units, units } from '../shared/preferences.ts';
import { RequestPanel } from '../shared/request-panel.tsx';
import { FailureView, Loading } from '../shared/states.tsx';
import { TextField } from '../shared/text-field.tsx';
import { reads } from './api.ts';
import { hrefOf } from './route.ts';
import { mapTrip } from './trip/map-trip.ts';
import { TripMapView } from './trip/trip-map.tsx';

function figures(units: Units, first: TripDetail, second: TripDetail | undefined) {
  const figure = (title: string, digits: Digits, of: (trip: TripDetail) => number) => ({
    title,
    digits,
    first: of(first),
    second: second ? of(second) : null,
  });
  const distance = (title: string, miles: (trip: TripDetail) => number) =>
    figure(`${title}, ${DISTANCE_SYMBOLS[units]}`, 1, (trip) => distanceIn(units, miles(trip)));
  return [
    figure('Duration, minutes', 1, (trip) => trip.duration_seconds / 60),
    distance('Distance', (trip) => trip.distance_miles),
    distance('Highway', (trip) => trip.highway_miles),
    figure('Night driving, minutes', 1, (trip) => trip.night_driving_seconds / 60),
    figure('Phone uses', 0, (trip) => trip.event_summary.phone_use_count),
    figure('Phone use, seconds', 0, (trip) => trip.event_summary.phone_use_time_seconds),
    figure('Overspeedings', 0, (trip) => trip.event_summary.overspeeding_count),
    figure('Overspeeding, seconds', 0, (trip) => trip.event_summary.overspeeding_time_seconds),
    figure('Hard brakes', 0, (trip) => trip.event_summary.hard_brake_count),
    figure('Rapid accelerations', 0, (trip) => trip.event_summary.rapid_acceleration_count),
  ];
}

const COLUMNS: Column<ReturnType<typeof figures>[number]>[] = [
  { name: 'figure', title: 'Figure', value: ({ title }) => title },
  { ...column('first', 'First trip', (first, { digits }) => decimal(first, digits)), isNumber: true },
  {
    ...column('second', 'Second trip', (second, { digits }) => (second === null ? NONE : decimal(second, digits))),
    isNumber: true,
  },
  {
    name: 'difference',
    title: 'Difference',
    isNumber: true,
    value: ({ first, second }) => (second === null ? null : second - first),
    cell: ({ first, second, digits }) => (second === null ? NONE : signedText(second - first, digits)),
  },
];

function ComparedTrip({ name, line, trip }: { name: string; line: 'path' | 'second'; trip: TripDetail }) {
  return (
    <li>
      <span class={`line ${line}`} /> {name}:{' '}
      <a href={hrefOf({ view: 'trip', tripId: trip.trip_id })}>{momentText(trip.trip_start_time)} UTC</a>, driver{' '}
      {trip.driver_id}
    </li>
  );
}

function Comparison({ first, second }: { first: TripDetail; second: TripDetail | undefined }) {
  const trips = useMemo(
    () => [
      mapTrip(first, units.value, 'the first trip'),
      ...(second ? [mapTrip(second, units.value, 'the second trip')] : []),
    ],
    [first, second, units.value],
  );
  const rows = figures(units.value, first, second);
  return (
    <>
      <ul class="plain-list">
        <ComparedTrip name="First" line="path" trip={first} />
        {second && <ComparedTrip name="Second" line="second" trip={second} />}
      </ul>
      <TripMapView label="Map of both trips" trips={trips} version={`${first.trip_id} ${second?.trip_id}`} />
      <div class="under">
        <h2>Figures</h2>
        <CsvButton name="two-trips.csv" columns={COLUMNS} rows={rows} />
      </div>
      <DataTable caption="Figures of both trips" columns={COLUMNS} rows={rows} />
    </>
  );
}

function TripForm({ tripIds }: { tripIds: readonly string[] }) {
  const [first, setFirst] = useState(tripIds[0] ?? '');
  const [second, setSecond] = useState(tripIds[1] ?? '');
  const [tracking, setTracking] = useState('');
  return (
    <div class="forms">
      <Form
        class="filters"
        onSubmit={() => {
          const ids = [first.trim(), second.trim()].filter((id) => id !== '');
          const [only, other] = ids;
          if (only !== undefined)
            navigate(hrefOf(other === undefined ? { view: 'trip', tripId: only } : { view: 'compare', tripIds: ids }));
        }}
      >
        <TextField label="Trip id" text={first} onChange={setFirst} class="id" required />
        <TextField label="Id of a second trip to compare" text={second} onChange={setSecond} class="id" />
        <button type="submit">{second.trim() === '' ? 'Show the trip' : 'Compare the trips'}</button>
      </Form>
      <Form
        class="filters"
        onSubmit={() => tracking !== '' && navigate(hrefOf({ view: 'tracking', trackingId: tracking, page: 1 }))}
      >
        <TextField label="Tracking id" text={tracking} onChange={setTracking} class="id" required />
        <button type="submit">Find its trips</button>
      </Form>
    </div>
  );
}

/** Two trips side by side, and a form that opens any trip by its id. */
export function CompareView({ tripIds }: { tripIds: string[] }) {
  const requests = tripIds.map(reads.trip);
  const queries = useQueries({ queries: requests });
  const failure = queries.find(({ error }) => error !== null)?.error?.failure;
  const isComplete = queries.every(({ data }) => data !== undefined);
  const [first, second] = queries.map(({ data }) => data?.trips[0]);
  return (
    <>
      <PageHead title={tripIds.length > 1 ? 'Two trips' : 'Trips by id'} />
      <TripForm tripIds={tripIds} />
      {tripIds.length === 0 && (
        <p class="quiet">A driver's page lists the trips. Select two trips in the list to compare them here.</p>
      )}
      {failure && <FailureView failure={failure} />}
      {!isComplete && !failure && <Loading what="trips" />}
      {isComplete && first && <Comparison first={first} second={second} />}
      {requests.length > 0 && <RequestPanel requests={requests} data={queries.map(({ data }) => data)} />}
    </>
  );
}
