import { dateText } from '../../shared/calendar-text.ts';
import { countText } from '../../shared/format.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { PageHead } from '../../shared/page.tsx';
import { reads } from '../api.ts';
import { hrefOf } from '../lane.ts';
import { CountedEvents, OtherRecords, StoredEvents } from './trace-tables.tsx';

/** The lineage of a driver's day: all the records from which its summary was made. */
export function DriverDayView({ fleetId, driverId, date }: { fleetId: string; driverId: string; date: string }) {
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
      <Loaded request={reads.driverDayTrace(fleetId, driverId, date)} what="the lineage">
        {(trace) => (
          <>
            <p class="headline">
              The summary of {dateText(trace.date)} contains {countText(trace.trip_count, 'trip')}.
            </p>
            <CountedEvents title="Stored events of the day" events={trace.stored_events} />
            <StoredEvents title="Stored events of the profile" events={trace.profile_events} />
            <OtherRecords trace={trace} />
          </>
        )}
      </Loaded>
    </>
  );
}
