import { useState } from 'preact/hooks';
import { navigate } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { hrefOf } from '../lane.ts';
import { DriverField, FleetField } from '../name-field.tsx';

function TripForm() {
  const [tripId, setTripId] = useState('');
  return (
    <form
      class="filters"
      aria-label="A trip"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(hrefOf({ view: 'trip', tripId: tripId.trim() }));
      }}
    >
      <label>
        Trip id
        <input
          class="id"
          type="text"
          required
          autocomplete="off"
          value={tripId}
          onInput={({ currentTarget }) => setTripId(currentTarget.value)}
        />
      </label>
      <button type="submit">Trace the trip</button>
    </form>
  );
}

function DriverDayForm() {
  const [fleetId, setFleetId] = useState('');
  const [driverId, setDriverId] = useState('');
  const [date, setDate] = useState('');
  return (
    <form
      class="filters"
      aria-label="A driver's day"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(hrefOf({ view: 'driver-day', fleetId: fleetId.trim(), driverId, date }, null));
      }}
    >
      <FleetField label="Fleet" text={fleetId} onChange={setFleetId} />
      <DriverField label="Driver id" fleetId={fleetId} text={driverId} onChange={setDriverId} />
      <label>
        Day (UTC)
        <input type="date" required value={date} onInput={({ currentTarget }) => setDate(currentTarget.value)} />
      </label>
      <button type="submit">Trace the day</button>
    </form>
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
