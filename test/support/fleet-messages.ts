import { simulateFleet } from '@milepost/sample-fleet';
import { daysAfter, utcDate } from './model/index.ts';
import { tripProcessed } from './records.ts';
import { type Message, toMessage } from './topics.ts';

const FLEET_DAYS = 45;
const HOUR = 3_600_000;
const DUPLICATE_EVERY = 40;
const CONFLICT_EVERY = 60;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether the simulation has deliberately made this record invalid. This check shares no code with the product. */
function isBroken(text: string): boolean {
  try {
    const record: unknown = JSON.parse(text);
    if (!isRecord(record)) return true;
    const { kind, revision, trip_start_time, trip_end_time, start_latitude, distance_miles } = record;
    if (!Number.isInteger(revision) || Number(revision) < 1) return true;
    if (kind === 'trip.deleted' || kind === 'driver.profile') return false;
    return (
      kind !== 'trip.processed' ||
      Number(trip_end_time) < Number(trip_start_time) ||
      Math.abs(Number(start_latitude)) > 90 ||
      typeof distance_miles !== 'number' ||
      text.includes('"course":null')
    );
  } catch {
    return true;
  }
}

/** The first day of the fleet's trips. */
export function firstDateOf(now: number, days = FLEET_DAYS): string {
  return daysAfter(utcDate(now), -days);
}

/**
 * Returns a simulated fleet's messages up to yesterday, as the pipeline would publish them. They include the
 * simulation's invalid records, additional duplicates and conflicts, and a trip that ended an hour ago and is not yet
 * visible.
 */
export function fleetMessages(
  fleetId: string,
  seed: number,
  now: number,
  more: Partial<Parameters<typeof simulateFleet>[0]> = {},
): Message[] {
  const endDate = daysAfter(utcDate(now), -1);
  const options = { seed, drivers: 15, days: FLEET_DAYS, endDate, now: now - 5 * HOUR, fleetId, ...more };
  const messages: Message[] = [];
  let sound = 0;
  for (const { topic, key, value } of simulateFleet(options)) {
    const broken = isBroken(value);
    const message = { topic, key, value, broken };
    messages.push(message);
    if (broken || topic === 'drivers') continue;
    sound += 1;
    if (sound % DUPLICATE_EVERY === 0) messages.push(message);
    if (sound % CONFLICT_EVERY === 0) {
      messages.push({ ...message, value: value.replace('"distance_miles":', '"distance_miles":1') });
    }
  }
  const fresh = tripProcessed({
    fleet_id: fleetId,
    source_trip_id: 'just-ended',
    driver_id: 'just-arrived',
    tracking_id: 'just-ended',
    trip_start_time: now - 2 * HOUR,
    trip_end_time: now - HOUR,
  });
  messages.push(toMessage(fresh, `${fleetId}/just-arrived`));
  return messages;
}

/** Returns the messages of several simulated fleets, interleaved. */
export function mixedMessages(
  fleetIds: readonly string[],
  seed: number,
  now: number,
  size: Parameters<typeof fleetMessages>[3],
): Message[] {
  const lists = fleetIds.map((fleetId, index) => fleetMessages(fleetId, seed + index, now, size));
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}
