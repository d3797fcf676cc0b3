import type { TripDetail } from '@milepost/client';
import { momentText } from '../shared/calendar-text.ts';
import { column, numberColumn } from '../shared/columns.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { countText, distanceText, durationText } from '../shared/format.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '../shared/page.tsx';
import { units } from '../shared/preferences.ts';
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
  return (
    <>
      <PageHead title={`Trips with tracking id ${trackingId}`} />
      <Loaded request={reads.trackedTrips(trackingId, page)} what="trips">
        {({ trips, count, next_page }) => (
          <>
            <DataTable caption="Trips" columns={COLUMNS} rows={trips} keyOf={({ trip_id }) => trip_id} />
            <nav class="pages" aria-label="Pages of trips">
              {page > 1 && <a href={hrefOf({ view: 'tracking', trackingId, page: page - 1 })}>Previous</a>}
              <span>
                Page {page}, {countText(count, 'trip')}
              </span>
              {next_page !== null && <a href={hrefOf({ view: 'tracking', trackingId, page: next_page })}>Next</a>}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}
