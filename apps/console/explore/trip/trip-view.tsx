import { computed, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { momentText } from '../../shared/calendar-text.ts';
import { toCsv } from '../../shared/csv.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { download } from '../../shared/download.ts';
import { durationText, NONE, speedText } from '../../shared/format.ts';
import { Moment } from '../../shared/moment.tsx';
import { PageHead } from '../../shared/page.tsx';
import { type Units, units } from '../../shared/preferences.ts';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { useAnswer } from '../../shared/use-answers.ts';
import { eventTitle } from '../names.ts';
import { AUTHORIZATION, type TripDetail, type TripEvent, tripDetail } from '../reports.ts';
import { hrefOf } from '../route.ts';
import { toGeoJson, toGpx } from './files.ts';
import type { TripMap } from './map.ts';
import { eventFacts, eventSeconds, mapTrip } from './map-trip.ts';
import { inTime, MUCH_OVER_MPH, placeAt } from './path.ts';
import { Playback } from './playback.tsx';
import { TripFacts } from './trip-facts.tsx';
import { TripMapView } from './trip-map.tsx';

function eventColumns(chosenUnits: Units, show: (event: TripEvent) => void): Column<TripEvent>[] {
  return [
    {
      name: 'event_start_timestamp',
      title: 'Time (UTC)',
      value: (event) => event.event_start_timestamp,
      cell: (event) => <Moment at={event.event_start_timestamp} seconds />,
    },
    {
      name: 'event_name',
      title: 'Trip event',
      value: (event) => event.event_name,
      cell: (event) => eventTitle(event.event_name),
    },
    {
      name: 'seconds',
      title: 'For',
      isNumber: true,
      value: eventSeconds,
      cell: (event) => durationText(eventSeconds(event)),
    },
    {
      name: 'facts',
      title: 'Speed',
      value: (event) => eventFacts(event, chosenUnits),
      cell: (event) => eventFacts(event, chosenUnits) || NONE,
    },
    {
      name: 'show',
      title: 'On the map',
      isControl: true,
      value: () => null,
      cell: (event) => (
        <button
          type="button"
          aria-label={`Show ${eventTitle(event.event_name)} of ${momentText(event.event_start_timestamp, true)} on the map`}
          onClick={() => show(event)}
        >
          Show
        </button>
      ),
    },
  ];
}

function Legend() {
  return (
    <p class="legend">
      <span>
        <span class="line path" /> path
      </span>
      <span>
        <span class="line speeding" /> up to {speedText(units.value, MUCH_OVER_MPH)} over the limit
      </span>
      <span>
        <span class="line speeding-much" /> more
      </span>
      <span>
        <b class="mark start">A</b> start
      </span>
      <span>
        <b class="mark end">B</b> end
      </span>
    </p>
  );
}

function Trip({ trip }: { trip: TripDetail }) {
  const trail = useMemo(() => inTime(trip.trail_path), [trip]);
  const from = trail[0]?.timestamp ?? trip.trip_start_time;
  const through = trail.at(-1)?.timestamp ?? trip.trip_end_time;
  const time = useSignal(from);
  const places = useMemo(() => computed(() => [placeAt(trail, time.value)]), [trail]);
  const map = useRef<TripMap | null>(null);
  const onMap = useMemo(() => [mapTrip(trip, units.value, 'the trip')], [trip, units.value]);
  const show = (event: TripEvent) => {
    time.value = Math.min(Math.max(event.event_start_timestamp, from), through);
    map.current?.openEvent(0, trip.events.indexOf(event));
  };
  const columns = eventColumns(units.value, show);
  const inFile = columns.filter(({ name }) => name !== 'show');
  return (
    <>
      <TripFacts trip={trip} />
      <section>
        <h2>Path</h2>
        <TripMapView
          label="Map of the trip"
          trips={onMap}
          version={trip.trip_id}
          places={places}
          onMap={(drawn) => {
            map.current = drawn;
          }}
        />
        {trail.length > 1 ? (
          <Playback time={time} from={from} through={through} events={trip.events} />
        ) : (
          <p class="quiet">The trip has no path: its record names the start and the end alone.</p>
        )}
        <Legend />
      </section>
      <section>
        <div class="under">
          <h2>Trip events</h2>
          <button
            type="button"
            disabled={trip.events.length === 0}
            onClick={() => download(`trip-events-${trip.trip_id}.csv`, 'text/csv', toCsv(inFile, trip.events))}
          >
            Download CSV
          </button>
        </div>
        {trip.events.length === 0 ? (
          <p class="quiet">Nothing happened on this trip.</p>
        ) : (
          <DataTable
            caption="Trip events"
            columns={columns}
            rows={trip.events}
            keyOf={(event) => `${event.event_name} ${event.event_start_timestamp} ${event.event_end_timestamp}`}
          />
        )}
      </section>
    </>
  );
}

/** A trip on a map, with what happened on it. */
export function TripView({ tripId }: { tripId: string }) {
  const question = tripDetail(tripId);
  const { answer, failure } = useAnswer(question);
  const trip = answer?.trips[0];
  return (
    <>
      <PageHead title={trip ? `Trip of ${momentText(trip.trip_start_time)}` : 'Trip'}>
        {trip && (
          <>
            <a class="button" href={hrefOf({ view: 'compare', tripIds: [tripId] })}>
              Compare
            </a>
            <button type="button" onClick={() => download(`trip-${tripId}.gpx`, 'application/gpx+xml', toGpx(trip))}>
              GPX
            </button>
            <button
              type="button"
              onClick={() => download(`trip-${tripId}.geojson`, 'application/geo+json', toGeoJson(trip))}
            >
              GeoJSON
            </button>
          </>
        )}
      </PageHead>
      {failure && (
        <FailureView failure={failure}>
          {failure.kind === 'not_found' && (
            <p>
              A trip appears 4 hours after its end. If it has ended since, it is not yet visible:{' '}
              <button type="button" onClick={() => location.reload()}>
                Ask again
              </button>
            </p>
          )}
        </FailureView>
      )}
      {!trip && !failure && <Loading what="the trip" />}
      {trip && <Trip trip={trip} />}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
