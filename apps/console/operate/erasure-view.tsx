import { useState } from 'preact/hooks';
import { go } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { FailureView, Loading } from '../shared/states.tsx';
import { ChangeButton } from './change-button.tsx';
import { counted, whole } from './figures.ts';
import { AUTHORIZATION, changes, type Erased, type ErasurePreview, erasurePreview } from './requests.ts';
import { hrefOf } from './route.ts';
import { useLatest } from './use-latest.ts';

interface Driver {
  fleetId: string;
  driverId: string;
}

function DriverForm({ fleetId, driverId }: Driver) {
  const [fleet, setFleet] = useState(fleetId);
  const [driver, setDriver] = useState(driverId);
  return (
    <form
      class="filters"
      aria-label="The driver"
      onSubmit={(event) => {
        event.preventDefault();
        go(hrefOf({ view: 'erasure', fleetId: fleet.trim(), driverId: driver }));
      }}
    >
      <label>
        Fleet
        <input
          type="text"
          required
          autocomplete="off"
          value={fleet}
          onInput={({ currentTarget }) => setFleet(currentTarget.value)}
        />
      </label>
      <label>
        Driver id
        <input
          class="id"
          type="text"
          required
          autocomplete="off"
          value={driver}
          onInput={({ currentTarget }) => setDriver(currentTarget.value)}
        />
      </label>
      <button type="submit">Preview</button>
    </form>
  );
}

function Erase({
  fleetId,
  driverId,
  preview,
  onDone,
}: Driver & { preview: ErasurePreview; onDone: (erased: Erased) => void }) {
  const [reason, setReason] = useState('');
  const [keepsAggregates, setKeeps] = useState(false);
  return (
    <ChangeButton
      label="Erase the driver"
      title="Erase the driver"
      action="Erase for good"
      className="danger"
      typed={driverId}
      isReady={reason.trim() !== ''}
      request={() => changes.erase(fleetId, driverId, { reason: reason.trim(), keep_aggregates: keepsAggregates })}
      onDone={(erased) => erased && onDone(erased)}
    >
      <p>
        Names, email, alias, the driver's id, coordinates, paths and trip events go from the log, from every read table
        and from the dead letters: {counted(preview.trips, 'trip')}, {counted(preview.stored_events, 'stored event')}. A
        pseudonym takes the id's place. Records about the driver are refused from then on.
      </p>
      <label>
        Reason, kept for good: it must not name the person
        <input
          type="text"
          maxLength={1_000}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <label class="flag">
        <input
          type="checkbox"
          checked={keepsAggregates}
          onChange={({ currentTarget }) => setKeeps(currentTarget.checked)}
        />
        Keep the daily and weekly figures under the pseudonym
      </label>
    </ChangeButton>
  );
}

function ErasedView({ erased }: { erased: Erased }) {
  const { position, pseudonym, stored_events, dead_letters, aggregates_kept } = erased;
  return (
    <section class="state" role="status">
      <h2>The driver is erased</h2>
      <p>
        {counted(stored_events, 'stored event')} and {counted(dead_letters, 'dead letter')} were redacted. The log says
        so at position {whole(position)}. The pseudonym is <code>{pseudonym}</code>.{' '}
        {aggregates_kept ? 'The daily and weekly figures stay under it.' : 'No figures stay.'}
      </p>
      <p>What backups, the write-ahead log and the Kafka topic hold goes when these expire.</p>
    </section>
  );
}

function Preview({ fleetId, driverId }: Driver) {
  const question = erasurePreview(fleetId, driverId);
  const { answer, failure } = useLatest(question, null);
  const [erased, setErased] = useState<Erased | null>(null);
  return (
    <>
      {erased && <ErasedView erased={erased} />}
      {!erased && failure && <FailureView failure={failure} />}
      {!erased && !answer && !failure && <Loading what="the preview" />}
      {!erased && answer && (
        <section class="state">
          <h2>What would go</h2>
          <p>
            As things stand, the erasure of driver <b>{driverId}</b> of fleet <b>{fleetId}</b> redacts{' '}
            {counted(answer.trips, 'trip')} and {counted(answer.stored_events, 'stored event')}.
          </p>
          <div class="actions">
            <Erase fleetId={fleetId} driverId={driverId} preview={answer} onDone={setErased} />
          </div>
        </section>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}

/** Removes a driver for good, after a look at what that takes away. */
export function ErasureView({ fleetId, driverId }: Driver) {
  return (
    <>
      <PageHead title="Erasure" />
      <p>The erasure of a driver removes the person from everything that Milepost holds. There is no way back.</p>
      <DriverForm fleetId={fleetId} driverId={driverId} />
      {fleetId !== '' && driverId !== '' && <Preview fleetId={fleetId} driverId={driverId} />}
    </>
  );
}
