import { type OverspeedingData, TRIP_EVENT_NAMES, TRIP_EVENT_TYPES, type TripEvent } from '../vocabulary.ts';
import { isUncheckedObject } from './decode.ts';
import { explain, invalidField } from './explain.ts';
import type { RecordFault } from './parsed-record.ts';
import * as schema from './schema.ts';

/** The trip events of a record in the order given, each filled in; or the fault of the first that breaks a rule. */
export function readTripEvents(values: readonly unknown[], path: string): TripEvent[] | RecordFault {
  const events: TripEvent[] = [];
  for (const [index, value] of values.entries()) {
    const event = readTripEvent(value, `${path}/${index}`);
    if ('ok' in event) return event;
    events.push(event);
  }
  return events;
}

function readTripEvent(value: unknown, path: string): TripEvent | RecordFault {
  const isOverspeeding = isUncheckedObject(value) && value['event_type'] === TRIP_EVENT_TYPES.OVERSPEEDING;
  if (isOverspeeding) {
    if (!schema.overspeedingTripEvent.Check(value)) return explain(schema.overspeedingTripEvent.Type(), value, path);
    const { user_speed_mph, speed_limit_mph, max_user_speed_mph } = value.event_data;
    return complete(value, { user_speed_mph, speed_limit_mph, max_user_speed_mph }, path);
  }
  if (!schema.plainTripEvent.Check(value)) return explain(schema.plainTripEvent.Type(), value, path);
  return complete(value, {}, path);
}

type CheckedTripEvent = Omit<TripEvent, 'event_name' | 'event_data'> & { event_name?: unknown };

/** The name follows from the type: absent or null it is filled in, and one that says something else is refused. */
function complete(
  value: CheckedTripEvent,
  event_data: OverspeedingData | Record<string, never>,
  path: string,
): TripEvent | RecordFault {
  const event_name = TRIP_EVENT_NAMES[value.event_type];
  const given = value.event_name ?? event_name;
  if (given !== event_name) {
    return invalidField(`${path}/event_name`, given, `"${event_name}" or absent for event_type ${value.event_type}`);
  }
  return {
    event_type: value.event_type,
    event_name,
    event_start_timestamp: value.event_start_timestamp,
    event_end_timestamp: value.event_end_timestamp,
    event_start_latitude: value.event_start_latitude,
    event_start_longitude: value.event_start_longitude,
    event_end_latitude: value.event_end_latitude,
    event_end_longitude: value.event_end_longitude,
    event_data,
  };
}
