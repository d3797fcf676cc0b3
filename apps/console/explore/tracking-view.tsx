import type { TripDetail } from '@milepost/client';
import { useQuery } from '@tanstack/preact-query';
import { momentText } from '../shared/calendar-text.ts';
import { column, numberColumn } from '../shared/columns.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { countText, distanceText, durationText } from '../shared/format.ts';
import { PageHead } from '../shared/page.tsx';
import { units } from '../shared/preferences.ts';
import { RequestPanel } from '../shared/request-panel.tsx';
import { QueryState } from '../shared/states.tsx';
import { reads } from './api.ts';
import { hrefOf } from './route.ts';

const COLUMNS: Column<TripDetail>[] = [
  column('trip_start_time', 'Start (UTC)', (start, { trip_id }) => (
    <a href={hrefOf({ view: 'trip', tripId: trip_id })}>{momentText(start)}</a>
  )),
  column('driver_id', 'Driver'),
  numberColumn('duration_seconds', 'Duration', durationText),
  numberColumn('distance_miles', 'Distance', (miles) => distanceText(units.value, miles)),
];

/** The trips with a tracking id, five on each page. */
export function TrackingView({ trackingId, page }: { trackingId: string; page: number }) {
  const request = reads.trackedTrips(trackingId, page);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title={`Trips with tracking id ${trackingId}`} />
      <QueryState data={data} error={error} what="trips" />
      {data && (
        <>
          <DataTable caption="Trips" columns={COLUMNS} rows={data.trips} keyOf={({ trip_id }) => trip_id} />
          <nav class="pages" aria-label="Pages of trips">
            {page > 1 && <a href={hrefOf({ view: 'tracking', trackingId, page: page - 1 })}>Previous</a>}
            <span>
              Page {page}, {countText(data.count, 'trip')}
            </span>
            {data.next_page !== null && (
              <a href={hrefOf({ view: 'tracking', trackingId, page: data.next_page })}>Next</a>
            )}
          </nav>
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
