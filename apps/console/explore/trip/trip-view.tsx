import type { TripDetail, TripEvent } from '@milepost/client';
import { computed, useSignal } from '@preact/signals';
import { useQuery } from '@tanstack/preact-query';
import { useMemo, useRef } from 'preact/hooks';
import { momentText } from '../../shared/calendar-text.ts';
import { column, computedColumn } from '../../shared/columns.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { download } from '../../shared/download.ts';
import { countText, durationText, NONE, speedText } from '../../shared/format.ts';
import { Moment } from '../../shared/moment.tsx';
import { PageHead } from '../../shared/page.tsx';
import { type Units, units } from '../../shared/preferences.ts';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { reads } from '../api.ts';
import { eventTitle } from '../names.ts';
import { hrefOf } from '../route.ts';
import { toGeoJson, toGpx } from './files.ts';
import type { TripMap } from './map.ts';
import { eventFacts, eventSeconds, isEventOnMap, mapTrip } from './map-trip.ts';
import { isPlace, MIN_SEVERE_MPH, placeAt, sortedPlaces } from './path.ts';
import { Playback } from './playback.tsx';
import { TripFacts } from './trip-facts.tsx';
import { TripMapView } from './trip-map.tsx';

function eventColumns(chosenUnits: Units, show: (event: TripEvent) => void): Column<TripEvent>[] {
  return [
    column('event_start_timestamp', 'Time (UTC)', (start) => <Moment at={start} seconds />),
    column('event_name', 'Trip event', eventTitle),
    computedColumn('seconds', 'For', eventSeconds, durationText),
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
          aria-label={`Show ${eventTitle(event.event_name)} at ${momentText(event.event_start_timestamp, true)} on the map`}
          disabled={!isEventOnMap(event)}
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
        <span class="line speeding" /> less than {speedText(units.value, MIN_SEVERE_MPH)} over the limit
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

/** Counts the points and trip events that the map cannot show. */
function OffMap({ trip: { trail_path, events } }: { trip: TripDetail }) {
  const points = trail_path.filter(({ latitude, longitude }) => !isPlace(latitude, longitude)).length;
  const hiddenEvents = events.filter((event) => !isEventOnMap(event)).length;
  const parts = [
    ...(points > 0 ? [`${countText(points, 'point')} of the path`] : []),
    ...(hiddenEvents > 0 ? [countText(hiddenEvents, 'trip event')] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="quiet">
      {parts.join(' and ')} {points + hiddenEvents === 1 ? 'is' : 'are'} not on the map because a coordinate is out of
      range.
    </p>
  );
}

function Trip({ trip }: { trip: TripDetail }) {
  const trail = useMemo(() => sortedPlaces(trip.trail_path), [trip]);
  const from = trail[0]?.timestamp ?? trip.trip_start_time;
  const through = trail.at(-1)?.timestamp ?? trip.trip_end_time;
  const time = useSignal(from);
  const place = useMemo(() => computed(() => placeAt(trail, time.value)), [trail]);
  const map = useRef<TripMap | null>(null);
  const onMap = useMemo(() => [mapTrip(trip, units.value, 'the trip')], [trip, units.value]);
  const show = (event: TripEvent) => {
    time.value = Math.min(Math.max(event.event_start_timestamp, from), through);
    map.current?.openEvent(trip.events.indexOf(event));
  };
  const columns = eventColumns(units.value, show);
  return (
    <>
      <TripFacts trip={trip} />
      <section>
        <h2>Path</h2>
        <TripMapView
          label="Map of the trip"
          trips={onMap}
          version={trip.trip_id}
          place={place}
          onMap={(drawn) => {
            map.current = drawn;
          }}
        />
        {trail.length > 1 ? (
          <Playback time={time} from={from} through={through} events={trip.events} />
        ) : (
          <p class="quiet">The trip has no path: its record contains only the start and the end.</p>
        )}
        <OffMap trip={trip} />
        <Legend />
      </section>
      <section>
        <div class="under">
          <h2>Trip events</h2>
          <CsvButton name={`trip-events-${trip.trip_id}.csv`} columns={columns} rows={trip.events} />
        </div>
        <DataTable
          caption="Trip events"
          columns={columns}
          rows={trip.events}
          // A record may contain the same trip event twice.
          keyOf={(event) => String(trip.events.indexOf(event))}
          empty="The trip has no trip events."
        />
      </section>
    </>
  );
}

/** A trip on a map, with the facts about it and its trip events. */
export function TripView({ tripId }: { tripId: string }) {
  const request = reads.trip(tripId);
  const { data, error, refetch } = useQuery(request);
  const trip = data?.trips[0];
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
      {error && (
        <FailureView failure={error.failure}>
          {error.failure.kind === 'not_found' && (
            <p>
              A trip appears 4 hours after it ends. A trip that ended more recently is not yet visible.{' '}
              <button type="button" onClick={() => refetch()}>
                Try again
              </button>
            </p>
          )}
        </FailureView>
      )}
      {!trip && !error && <Loading what="the trip" />}
      {trip && <Trip trip={trip} />}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
