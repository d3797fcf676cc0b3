import { useState } from 'preact/hooks';
import { go } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { hrefOf } from '../route.ts';

function Field({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  return (
    <label>
      {label}
      <input
        class="id"
        type="text"
        required
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

function TripForm() {
  const [tripId, setTripId] = useState('');
  return (
    <form
      class="filters"
      aria-label="A trip"
      onSubmit={(event) => {
        event.preventDefault();
        go(hrefOf({ view: 'trip', tripId: tripId.trim() }));
      }}
    >
      <Field label="Trip id" text={tripId} onChange={setTripId} />
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
        go(hrefOf({ view: 'driver-day', fleetId: fleetId.trim(), driverId, date }));
      }}
    >
      <Field label="Fleet" text={fleetId} onChange={setFleetId} />
      <Field label="Driver id" text={driverId} onChange={setDriverId} />
      <label>
        Day (UTC)
        <input type="date" required value={date} onInput={({ currentTarget }) => setDate(currentTarget.value)} />
      </label>
      <button type="submit">Trace the day</button>
    </form>
  );
}

/** Asks for the answer whose records are wanted. */
export function LineageView() {
  return (
    <>
      <PageHead title="Lineage" />
      <p>From an answer to every record behind it: topic, partition and offset, with duplicates and dead letters.</p>
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
