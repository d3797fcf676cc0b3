import { useState } from 'preact/hooks';
import { Form } from '../../shared/form.tsx';
import { navigate } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { TextField } from '../../shared/text-field.tsx';
import { hrefOf } from '../lane.ts';
import { DriverField, FleetField } from '../name-field.tsx';

function TripForm() {
  const [tripId, setTripId] = useState('');
  return (
    <Form
      class="filters"
      aria-label="A trip"
      onSubmit={() => navigate(hrefOf({ view: 'trip', tripId: tripId.trim() }))}
    >
      <TextField label="Trip id" text={tripId} onChange={setTripId} class="id" required autocomplete="off" />
      <button type="submit">Trace the trip</button>
    </Form>
  );
}

function DriverDayForm() {
  const [fleetId, setFleetId] = useState('');
  const [driverId, setDriverId] = useState('');
  const [date, setDate] = useState('');
  return (
    <Form
      class="filters"
      aria-label="A driver's day"
      onSubmit={() => navigate(hrefOf({ view: 'driver-day', fleetId: fleetId.trim(), driverId, date }, null))}
    >
      <FleetField label="Fleet" text={fleetId} onChange={setFleetId} />
      <DriverField label="Driver id" fleetId={fleetId} text={driverId} onChange={setDriverId} />
      <TextField label="Day (UTC)" text={date} onChange={setDate} type="date" required />
      <button type="submit">Trace the day</button>
    </Form>
  );
}

/** The forms that open the lineage of a trip or of a driver's day. */
export function LineageView() {
  return (
    <>
      <PageHead title="Lineage" />
      <p>
        The lineage of a trip or a summary lists the records that it was made from, with topic, partition and offset. It
        includes duplicates and dead letters.
      </p>
      <section>
        <h2>A trip</h2>
        <TripForm />
      </section>
      <section>
        <h2>A driver's day</h2>
        <DriverDayForm />
      </section>
    </>
  );
}
