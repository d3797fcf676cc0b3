import { dateText } from '../../shared/calendar-text.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { counted } from '../figures.ts';
import { AUTHORIZATION, driverDayTrace } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { useLatest } from '../use-latest.ts';
import { CountedEvents, OtherRecords, StoredEvents } from './trace-tables.tsx';

/** Every record behind the summary of a driver's day. */
export function DriverDayView({ fleetId, driverId, date }: { fleetId: string; driverId: string; date: string }) {
  const question = driverDayTrace(fleetId, driverId, date);
  const { answer, failure } = useLatest(question, null);
  return (
    <>
      <PageHead title="Lineage of a driver's day">
        <a class="button" href={hrefOf({ view: 'erasure', fleetId, driverId })}>
          Erasure of this driver
        </a>
      </PageHead>
      <p>
        Driver <b>{driverId}</b> of fleet <b>{fleetId}</b>
      </p>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the lineage" />}
      {answer && (
        <>
          <p class="headline">
            The summary of {dateText(answer.date)} sums up {counted(answer.trip_count, 'trip')}.
          </p>
          <CountedEvents title="Stored events of the day" events={answer.stored_events} />
          <StoredEvents title="Stored events of the profile" events={answer.profile_events} />
          <OtherRecords trace={answer} />
        </>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
