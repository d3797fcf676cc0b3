import { useQuery } from '@tanstack/preact-query';
import { dateText } from '../../shared/calendar-text.ts';
import { countText } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { QueryState } from '../../shared/states.tsx';
import { reads } from '../api.ts';
import { hrefOf } from '../lane.ts';
import { CountedEvents, OtherRecords, StoredEvents } from './trace-tables.tsx';

/** The lineage of a driver's day: all the records from which its summary was made. */
export function DriverDayView({ fleetId, driverId, date }: { fleetId: string; driverId: string; date: string }) {
  const request = reads.driverDayTrace(fleetId, driverId, date);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title="Lineage of a driver's day">
        <a class="button" href={hrefOf({ view: 'erasure', fleetId, driverId })}>
          Erase this driver
        </a>
      </PageHead>
      <p>
        Driver <b>{driverId}</b> of fleet <b>{fleetId}</b>
      </p>
      <QueryState data={data} error={error} what="the lineage" />
      {data && (
        <>
          <p class="headline">
            The summary of {dateText(data.date)} contains {countText(data.trip_count, 'trip')}.
          </p>
          <CountedEvents title="Stored events of the day" events={data.stored_events} />
          <StoredEvents title="Stored events of the profile" events={data.profile_events} />
          <OtherRecords trace={data} />
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
