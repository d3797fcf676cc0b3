import type { PipelineRecord, TripEvent, TripProcessed } from '../vocabulary.ts';
import { decodeObject } from './decode.ts';
import {
  driverProfile,
  eventSummary,
  isUncheckedObject,
  overspeedingTripEvent,
  trailPoint,
  tripDeleted,
  tripProcessed,
  type UncheckedObject,
} from './schema.ts';
import type { RecordWarning } from './warning-reasons.ts';

/** The extreme values in a trail path, for the fields that can cause warnings. */
interface TrailPathRange {
  earliestTimestamp: number;
  smallestCourse: number;
  largestCourse: number;
}

/** At most this many unknown names are reported for one path in a record. */
const MAX_NAMES = 100;
/** A timestamp in this range has 10 digits, so it is probably in epoch seconds. */
const [MIN_EPOCH_SECONDS, MAX_EPOCH_SECONDS] = [1e9, 1e10 - 1];
const MAX_COURSE_DEGREES = 360;
/** A trip's duration may differ from end minus start. Only a difference above both limits causes a warning. */
const MAX_DURATION_DIFFERENCE_SECONDS = 60;
const MAX_DURATION_DIFFERENCE_SHARE = 0.2;

/** The unit words that are used in names. Two names that differ only in the unit probably mean the same figure. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  length: ['m', 'meters', 'metres', 'km', 'kms', 'kilometers', 'kilometres', 'mi', 'mile', 'miles'],
  time: ['ms', 'millis', 'milliseconds', 's', 'sec', 'secs', 'second', 'seconds', 'min', 'mins', 'minutes', 'hours'],
  speed: ['mph', 'kmh', 'kph'],
};
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  latitude: ['lat'],
  longitude: ['lng', 'lon', 'long'],
  course: ['heading', 'bearing'],
  timestamp: ['ts', 'time'],
};
/** Words that make no difference in a name, because the field's place in the record implies them. */
const OPTIONAL_WORDS = new Set(['trip', 'event']);
const WORDS = new Map(
  Object.entries({ ...UNITS, ...SAME_WORDS }).flatMap(([meaning, words]) => words.map((word) => [word, meaning])),
);

/** Returns the meaning of a name, which is the same for `distance_miles`, `distanceMiles` and `distance_km`. */
function meaningOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words
    .filter((word) => word !== '' && !OPTIONAL_WORDS.has(word))
    .map((word) => WORDS.get(word) ?? word)
    .join(' ');
}

function withoutUnit(meaning: string): string {
  return meaning
    .split(' ')
    .filter((word) => !Object.hasOwn(UNITS, word))
    .join(' ');
}

/** Returns a function that finds which of `names` an unknown name probably means. */
function likelyNames(names: readonly string[]): (name: string) => string | undefined {
  const meanings = new Map<string, string>(names.map((name) => [withoutUnit(meaningOf(name)), name]));
  for (const name of names) meanings.set(meaningOf(name), name);
  return (name) => meanings.get(meaningOf(name)) ?? meanings.get(withoutUnit(meaningOf(name)));
}

/** Returns a function that finds, in objects at `path`, the members whose names are not in the schema. */
function place(path: string, names: readonly string[]): (objects: readonly unknown[]) => RecordWarning[] {
  const known = new Set(names);
  const likely = likelyNames(names);
  return (objects) => {
    const found = new Map<string, RecordWarning>();
    for (const object of objects) {
      if (!isUncheckedObject(object)) continue;
      for (const name in object) {
        if (known.has(name) || found.has(name) || found.size === MAX_NAMES) continue;
        const right = likely(name);
        const isOther = right !== undefined && !Object.hasOwn(object, right);
        if (isOther) found.set(name, { reason: 'other_name', field: `${path}/${right}`, name });
        else found.set(name, { reason: 'unknown_field', field: path, name });
      }
    }
    return [...found.values()];
  };
}

// The field `milepost` in an archive line gives the record's place in the log.
const records = new Map<unknown, ReturnType<typeof place>>(
  [tripProcessed, tripDeleted, driverProfile].map((schema) => {
    const { properties } = schema.Type();
    return [properties.kind.const, place('', [...Object.keys(properties), 'milepost'])];
  }),
);
const summaries = place('/event_summary', Object.keys(eventSummary.properties));
const overspeeding = overspeedingTripEvent.Type().properties;
const tripEvents = place('/events/*', [...Object.keys(overspeeding), 'event_name']);
const tripEventData = place('/events/*/event_data', Object.keys(overspeeding.event_data.properties));
const trailPoints = place('/trail_path/*', Object.keys(trailPoint.Type().properties));

function namesIn(object: UncheckedObject): RecordWarning[] {
  const { kind, event_summary, events, trail_path } = object;
  const warnings = records.get(kind)?.([object]) ?? [];
  if (kind !== 'trip.processed') return warnings;
  if (event_summary) warnings.push(...summaries([event_summary]));
  if (Array.isArray(events) && events.length > 0) {
    const data = events.map((event: unknown) => (isUncheckedObject(event) ? event['event_data'] : null));
    warnings.push(...tripEvents(events), ...tripEventData(data));
  }
  if (Array.isArray(trail_path) && trail_path.length > 0) warnings.push(...trailPoints(trail_path));
  return warnings;
}

/** Returns warnings about the unknown names in a record, even if the record is refused. */
export function nameWarnings(value: Uint8Array): RecordWarning[] {
  const decoded = decodeObject(value);
  return decoded.ok ? namesIn(decoded.object) : [];
}

function isInSeconds(timestamp: number): boolean {
  return timestamp >= MIN_EPOCH_SECONDS && timestamp <= MAX_EPOCH_SECONDS;
}

function tripEventWarnings(event: TripEvent, trip: TripProcessed): RecordWarning[] {
  const { event_start_timestamp: start, event_end_timestamp: end } = event;
  const startField = '/events/*/event_start_timestamp';
  const endField = '/events/*/event_end_timestamp';
  const warnings: RecordWarning[] = [];
  if (isInSeconds(start)) warnings.push({ reason: 'timestamp_in_seconds', field: startField });
  else if (start < trip.trip_start_time) warnings.push({ reason: 'trip_event_outside_trip', field: startField });
  if (isInSeconds(end)) warnings.push({ reason: 'timestamp_in_seconds', field: endField });
  else if (end > trip.trip_end_time) warnings.push({ reason: 'trip_event_outside_trip', field: endField });
  if (end < start) warnings.push({ reason: 'trip_event_end_before_start', field: endField });
  return warnings;
}

function figureWarnings(trip: TripProcessed): RecordWarning[] {
  const warnings: RecordWarning[] = [];
  const part = (field: 'highway_miles' | 'night_driving_miles' | 'night_driving_seconds', whole: number) => {
    if (trip[field] > whole) warnings.push({ reason: 'part_exceeds_whole', field: `/${field}` });
  };
  part('highway_miles', trip.distance_miles);
  part('night_driving_miles', trip.distance_miles);
  part('night_driving_seconds', trip.duration_seconds);
  const seconds = (trip.trip_end_time - trip.trip_start_time) / 1000;
  const difference = Math.abs(trip.duration_seconds - seconds);
  if (difference > MAX_DURATION_DIFFERENCE_SECONDS && difference > MAX_DURATION_DIFFERENCE_SHARE * seconds) {
    warnings.push({ reason: 'duration_differs', field: '/duration_seconds' });
  }
  return warnings;
}

/** Returns the warnings about a trail path. */
export function trailPathWarnings(range: TrailPathRange): RecordWarning[] {
  const warnings: RecordWarning[] = [];
  if (isInSeconds(range.earliestTimestamp)) {
    warnings.push({ reason: 'timestamp_in_seconds', field: '/trail_path/*/timestamp' });
  }
  if (range.smallestCourse < 0 || range.largestCourse > MAX_COURSE_DEGREES) {
    warnings.push({ reason: 'course_out_of_range', field: '/trail_path/*/course' });
  }
  return warnings;
}

function rangeOf({ trail_path }: TripProcessed): TrailPathRange {
  const range = { earliestTimestamp: Infinity, smallestCourse: Infinity, largestCourse: -Infinity };
  for (const { timestamp, course } of trail_path) {
    range.earliestTimestamp = Math.min(range.earliestTimestamp, timestamp);
    range.smallestCourse = Math.min(range.smallestCourse, course);
    range.largestCourse = Math.max(range.largestCourse, course);
  }
  return range;
}

/** Returns the warnings about a validated record, at most one for each reason and field. */
export function recordWarnings(object: UncheckedObject, record: PipelineRecord): RecordWarning[] {
  const warnings = namesIn(object);
  if (record.kind !== 'trip.processed') return warnings;
  warnings.push(...figureWarnings(record));
  const ofTripEvents = record.events.flatMap((event) => tripEventWarnings(event, record));
  warnings.push(...new Map(ofTripEvents.map((warning) => [warning.reason + warning.field, warning])).values());
  warnings.push(...trailPathWarnings(rangeOf(record)));
  return warnings;
}
