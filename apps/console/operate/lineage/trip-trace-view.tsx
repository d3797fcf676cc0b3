import { Loaded } from '../../shared/loaded.tsx';
import { PageHead } from '../../shared/page.tsx';
import { reads } from '../api.ts';
import { integerText } from '../text.ts';
import { OtherRecords, StoredEvents } from './trace-tables.tsx';

/** The lineage of a trip: all the records from which the trip was made. */
export function TripTraceView({ tripId }: { tripId: string }) {
  return (
    <>
      <PageHead title="Lineage of a trip" />
      <p>
        <code>{tripId}</code>
      </p>
      <Loaded request={reads.tripTrace(tripId)} what="the lineage">
        {(trace) => (
          <>
            <p class="headline">
              Fleet <b>{trace.fleet_id}</b>
              {trace.source_trip_id !== null && (
                <>
                  , <code>{trace.source_trip_id}</code> in the source
                </>
              )}
              .{' '}
              {trace.deleted
                ? 'The trip has been deleted, so the API does not return it.'
                : trace.current_position !== null &&
                  `The API returns the trip as stored at position ${integerText(trace.current_position)}.`}
            </p>
            <StoredEvents title="Stored events" events={trace.stored_events} />
            <OtherRecords trace={trace} />
          </>
        )}
      </Loaded>
    </>
  );
}
