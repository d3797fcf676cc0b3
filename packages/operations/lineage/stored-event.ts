import { dateOf } from '@milepost/domain/calendar';
import { STORED_EVENT_KINDS } from '@milepost/event-log';

/** A stored event as a statement reads it from the log. */
export interface StoredEventRow {
  position: number;
  kind: number;
  fleet_id: string;
  driver_id: string | null;
  trip_id: string | null;
  source_trip_id: string | null;
  trip_start_time: number | null;
  trip_end_time: number | null;
  revision: number;
  stored_at: Date;
  topic: string;
  partition: number;
  offset: number;
  effective: boolean;
  supersedes: number | null;
  superseded_by: number | null;
}

/**
 * A stored event, where it came from, and what it means now. `state`: `current` stands behind answers, `superseded` did
 * until `superseded_by` was stored, `without_effect` was older than what the log held already. Trip times in epoch
 * milliseconds, null where the kind has none; `partition` of a file is the number of the run, `offset` the line.
 */
export interface TracedEvent extends Omit<StoredEventRow, 'kind'> {
  kind: string;
  state: 'current' | 'superseded' | 'without_effect';
}

/** `counted`: whether the day's sums include this stored event now. */
export interface CountedEvent extends TracedEvent {
  counted: boolean;
}

const KIND_NAMES = new Map<number, string>(Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => [kind, name]));

function stateOf({ effective, superseded_by }: StoredEventRow): TracedEvent['state'] {
  if (!effective) return 'without_effect';
  return superseded_by === null ? 'current' : 'superseded';
}

/** Puts the kind's name and the state on a row. */
export function toTracedEvent(row: StoredEventRow): TracedEvent {
  return { ...row, kind: KIND_NAMES.get(row.kind) ?? String(row.kind), state: stateOf(row) };
}

/** Says of a row whether it is one of the trips that make up the driver's UTC day. */
export function toCountedEvent(row: StoredEventRow, driverId: string, date: string): CountedEvent {
  const event = toTracedEvent(row);
  const counted =
    event.kind === 'trip.processed' &&
    event.state === 'current' &&
    row.driver_id === driverId &&
    row.trip_start_time !== null &&
    dateOf(row.trip_start_time) === date;
  return { ...event, counted };
}
