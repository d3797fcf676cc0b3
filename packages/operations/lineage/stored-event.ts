import { dateOf } from '@milepost/domain/calendar';
import { STORED_EVENT_KINDS } from '@milepost/event-log';
import type { Static } from 'typebox';
import type { CountedEvent, TracedEvent } from './resource.ts';

/** A stored event as a statement reads it from the log. */
export type StoredEventRow = Omit<TracedEvent, 'kind' | 'state'> & { kind: number };

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
export function toCountedEvent(row: StoredEventRow, driverId: string, date: string): Static<typeof CountedEvent> {
  const event = toTracedEvent(row);
  const counted =
    event.kind === 'trip.processed' &&
    event.state === 'current' &&
    row.driver_id === driverId &&
    row.trip_start_time !== null &&
    dateOf(row.trip_start_time) === date;
  return { ...event, counted };
}
