import { useQuery } from '@tanstack/preact-query';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { QueryState } from '../../shared/states.tsx';
import { reads } from '../api.ts';
import { integerText } from '../text.ts';
import { OtherRecords, StoredEvents } from './trace-tables.tsx';

/** The lineage of a trip: all the records from which the trip was made. */
export function TripTraceView({ tripId }: { tripId: string }) {
  const request = reads.tripTrace(tripId);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title="Lineage of a trip" />
      <p>
        <code>{tripId}</code>
      </p>
      <QueryState data={data} error={error} what="the lineage" />
      {data && (
        <>
          <p class="headline">
            Fleet <b>{data.fleet_id}</b>
            {data.source_trip_id !== null && (
              <>
                , <code>{data.source_trip_id}</code> in the source
              </>
            )}
            .{' '}
            {data.deleted
              ? 'The trip has been deleted, so the API does not return it.'
              : data.current_position !== null &&
                `The API returns the trip as stored at position ${integerText(data.current_position)}.`}
          </p>
          <StoredEvents title="Stored events" events={data.stored_events} />
          <OtherRecords trace={data} />
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
