import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { whole } from '../figures.ts';
import { AUTHORIZATION, tripTrace } from '../requests.ts';
import { useLatest } from '../use-latest.ts';
import { OtherRecords, StoredEvents } from './trace-tables.tsx';

/** Every record behind a trip. */
export function TripTraceView({ tripId }: { tripId: string }) {
  const question = tripTrace(tripId);
  const { answer, failure } = useLatest(question, null);
  return (
    <>
      <PageHead title="Lineage of a trip" />
      <p>
        <code>{tripId}</code>
      </p>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the lineage" />}
      {answer && (
        <>
          <p class="headline">
            Fleet <b>{answer.fleet_id}</b>
            {answer.source_trip_id !== null && (
              <>
                , <code>{answer.source_trip_id}</code> upstream
              </>
            )}
            .{' '}
            {answer.deleted
              ? 'It is deleted: no answer has it.'
              : answer.current_position !== null && `Answers are made from position ${whole(answer.current_position)}.`}
          </p>
          <StoredEvents title="Stored events" events={answer.stored_events} />
          <OtherRecords trace={answer} />
        </>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
