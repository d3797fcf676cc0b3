import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Form } from '../shared/form.tsx';
import { countText } from '../shared/format.ts';
import { navigate } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { QueryState } from '../shared/states.tsx';
import { Flag, TextField } from '../shared/text-field.tsx';
import { changes, reads, type Schemas } from './api.ts';
import { ChangeButton } from './change-button.tsx';
import { hrefOf } from './lane.ts';
import { DriverField, FleetField } from './name-field.tsx';
import { integerText } from './text.ts';

type Erased = Schemas['DriversEraseAnswer'];

interface Driver {
  fleetId: string;
  driverId: string;
}

function DriverForm({ fleetId, driverId }: Driver) {
  const [fleet, setFleet] = useState(fleetId);
  const [driver, setDriver] = useState(driverId);
  return (
    <Form
      class="filters"
      aria-label="The driver"
      onSubmit={() => navigate(hrefOf({ view: 'erasure', fleetId: fleet.trim(), driverId: driver }, null))}
    >
      <FleetField label="Fleet" text={fleet} onChange={setFleet} />
      <DriverField label="Driver id" fleetId={fleet} text={driver} onChange={setDriver} />
      <button type="submit">Preview</button>
    </Form>
  );
}

function Erase({
  fleetId,
  driverId,
  preview,
  onDone,
}: Driver & { preview: Schemas['DriversPreviewAnswer']; onDone: (erased: Erased) => void }) {
  const [reason, setReason] = useState('');
  const [keepsAggregates, setKeepsAggregates] = useState(false);
  return (
    <ChangeButton
      label="Erase the driver"
      action="Erase permanently"
      className="danger"
      typed={driverId}
      isReady={reason.trim() !== ''}
      request={() => changes.erase(fleetId, driverId, { reason: reason.trim(), keep_aggregates: keepsAggregates })}
      onDone={onDone}
    >
      <p>
        The erasure removes names, email, alias, the driver's id, coordinates, paths and trip events from the event log,
        the read tables and the dead letters. It affects {countText(preview.trips, 'trip')} and{' '}
        {countText(preview.stored_events, 'stored event')}. A pseudonym replaces the id. Milepost refuses later records
        about the driver.
      </p>
      <TextField
        label="Reason (kept permanently; it must not name the driver)"
        text={reason}
        onChange={setReason}
        maxLength={1_000}
      />
      <Flag
        label="Keep the daily and weekly summaries under the pseudonym"
        isOn={keepsAggregates}
        onChange={setKeepsAggregates}
      />
    </ChangeButton>
  );
}

function ErasedView({ erased }: { erased: Erased }) {
  const { position, pseudonym, stored_events, dead_letters, aggregates_kept } = erased;
  return (
    <section class="state" role="status">
      <h2>The driver has been erased</h2>
      <p>
        {countText(stored_events, 'stored event')} and {countText(dead_letters, 'dead letter')} have been redacted. The
        event log records the erasure at position {integerText(position)}. The pseudonym is <code>{pseudonym}</code>.{' '}
        {aggregates_kept ? 'The daily and weekly summaries are kept under it.' : 'No summaries are kept.'}
      </p>
      <p>Backups, the write-ahead log and the Kafka topic still contain the data until they expire.</p>
    </section>
  );
}

function Preview({ fleetId, driverId }: Driver) {
  const request = reads.erasurePreview(fleetId, driverId);
  const { data, error } = useQuery(request);
  const [erased, setErased] = useState<Erased | null>(null);
  return (
    <>
      {erased && <ErasedView erased={erased} />}
      {!erased && <QueryState data={data} error={error} what="the preview" />}
      {!erased && data && (
        <section class="state">
          <h2>Preview</h2>
          <p>
            The erasure of driver <b>{driverId}</b> of fleet <b>{fleetId}</b> would redact{' '}
            {countText(data.trips, 'trip')} and {countText(data.stored_events, 'stored event')}.
          </p>
          <div class="actions">
            <Erase fleetId={fleetId} driverId={driverId} preview={data} onDone={setErased} />
          </div>
        </section>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}

/** Erases a driver after a preview. */
export function ErasureView({ fleetId, driverId }: Driver) {
  return (
    <>
      <PageHead title="Erasure" />
      <p>An erasure removes a driver from all Milepost data. It cannot be undone.</p>
      <DriverForm fleetId={fleetId} driverId={driverId} />
      {fleetId !== '' && driverId !== '' && <Preview fleetId={fleetId} driverId={driverId} />}
    </>
  );
}
