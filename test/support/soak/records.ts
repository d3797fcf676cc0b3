import { drawFrom } from '../draw.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../records.ts';
import { type Message, toMessage } from '../topics.ts';

/** The fleet that moves between the lanes. */
export const MOVING_FLEET = 'moving';
/** The lane in which each fleet starts. The test erases drivers in the fleets that stay. */
export const FLEETS: ReadonlyMap<string, number> = new Map([
  [MOVING_FLEET, 0],
  ['north', 0],
  ['south', 1],
]);

export const DAYS = 12;
const DRIVERS = 8;
const TRIPS = 70;
const DAY = 86_400_000;
/** Every trip ends on the day on which it starts. */
const MAX_START_MILLISECONDS = DAY - 3_600_000;
/** A repetition is drawn from roughly this many recent records. */
const REMEMBERED = 400;

export function driverOf(fleetId: string, number: number): string {
  return `${fleetId}-driver-${number}`;
}

/** Returns values that break a rule. */
function poisonOf(fleet_id: string, driver_id: string, now: number): (string | Buffer | null)[] {
  const trip = tripProcessed({ fleet_id, driver_id, source_trip_id: 'poison' });
  const text = JSON.stringify(trip);
  return [
    null,
    '',
    '{',
    '[]',
    '{"kind":"trip.processed"}',
    JSON.stringify({ ...trip, kind: 'trip.finished' }),
    JSON.stringify({ ...trip, revision: 0 }),
    JSON.stringify({ ...trip, distance_miles: 'NaN' }),
    JSON.stringify({ ...trip, trip_start_time: now + 3 * DAY, trip_end_time: now + 3 * DAY }),
    JSON.stringify({ ...trip, driver_id: 'nul\u0000' }),
    Buffer.concat([Buffer.from(text.slice(0, 40)), Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(40))]),
    `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  ];
}

/**
 * Returns a function that draws the next record of an endless stream. Trips are corrected, moved to other drivers and
 * days, deleted, and stored again. The stream also contains repetitions, conflicts, late revisions, profiles and broken
 * records.
 *
 * @param now the time, in epoch milliseconds, before which all trips end
 */
export function recordStream(seed: number, now: number): () => Message {
  const draw = drawFrom(seed);
  const fleets = [...FLEETS.keys()];
  const today = Math.floor(now / DAY) * DAY;
  const highest = new Map<string, number>();
  const remembered: Message[] = [];
  const drawFleet = () => fleets[draw(fleets.length)] ?? MOVING_FLEET;

  /** If `isLate`, draws any revision up to the subject's highest; if not, draws a higher one, sometimes with a gap. */
  function drawRevision(subject: string, isLate: boolean): number {
    const before = highest.get(subject) ?? 0;
    if (isLate && before > 0) return 1 + draw(before);
    const revision = before + 1 + (draw(5) === 0 ? 1 : 0);
    highest.set(subject, revision);
    return revision;
  }

  function drawTrip(isLate: boolean): Message {
    const fleet_id = drawFleet();
    const source_trip_id = `trip-${draw(TRIPS)}`;
    const driver_id = driverOf(fleet_id, draw(DRIVERS));
    const trip = tripProcessed({
      fleet_id,
      source_trip_id,
      driver_id,
      revision: drawRevision(`${fleet_id}/${source_trip_id}`, isLate),
      tracking_id: draw(3) === 0 ? `track-${draw(9)}` : null,
      trip_start_time: today - (1 + draw(DAYS)) * DAY + draw(MAX_START_MILLISECONDS),
      distance_miles: draw(10_000) / 100,
      night_driving_seconds: draw(1_000) / 10,
    });
    return toMessage(trip, `${fleet_id}/${driver_id}`);
  }

  function drawDeletion(): Message {
    const fleet_id = drawFleet();
    const source_trip_id = `trip-${draw(TRIPS)}`;
    const revision = drawRevision(`${fleet_id}/${source_trip_id}`, false);
    return toMessage(tripDeleted({ fleet_id, source_trip_id, revision }), `${fleet_id}/${source_trip_id}`);
  }

  function drawProfile(): Message {
    const fleet_id = drawFleet();
    const driver_id = driverOf(fleet_id, draw(DRIVERS));
    const revision = drawRevision(`${fleet_id}/${driver_id}`, draw(4) === 0);
    const profile = driverProfile({ fleet_id, driver_id, revision, alias: `Alias ${draw(1_000)}` });
    return toMessage(profile, `${fleet_id}/${driver_id}`);
  }

  function drawPoison(): Message {
    const fleetId = drawFleet();
    const driverId = driverOf(fleetId, draw(DRIVERS));
    const values = poisonOf(fleetId, driverId, now);
    return { topic: 'trips', key: `${fleetId}/${driverId}`, value: values[draw(values.length)] ?? null, broken: true };
  }

  function repeat(isConflict: boolean): Message {
    const earlier = remembered[draw(Math.max(1, remembered.length))];
    if (!earlier) return drawTrip(false);
    if (!isConflict || typeof earlier.value !== 'string') return earlier;
    return { ...earlier, value: earlier.value.replace('"distance_miles":', '"distance_miles":1') };
  }

  function drawRecord(): Message {
    const kind = draw(100);
    if (kind < 55) return drawTrip(false);
    if (kind < 62) return drawTrip(true);
    if (kind < 70) return drawDeletion();
    if (kind < 79) return drawProfile();
    if (kind < 86) return repeat(false);
    return kind < 92 ? repeat(true) : drawPoison();
  }

  return () => {
    const record = drawRecord();
    remembered[draw(REMEMBERED)] = record;
    return record;
  };
}
