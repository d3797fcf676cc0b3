import type { driverDayTrace, tripTrace } from '@milepost/operations/trace';
import type { Static } from 'typebox';
import { tripId } from '../arguments.ts';
import type { Json } from '../client/client.ts';
import { counted, printSection, printText, replaceControlCharacters, say } from '../output.ts';
import type { PresentationOf, Presentations } from './command.ts';
import { DEAD_LETTER_FIELDS } from './dead-letters.ts';

type TripTrace = Json<Static<typeof tripTrace.answer>>;
type DriverDayTrace = Json<Static<typeof driverDayTrace.answer>>;
type TracedEvent = TripTrace['stored_events'][number];

/** Quotes an id so that it cannot control a terminal. JSON escapes line breaks. */
const quoted = (id: string) => replaceControlCharacters(JSON.stringify(id));

const SOURCE = ['topic', 'partition', 'offset'] as const;
const EVENT = ['position', 'kind', 'revision', 'state', 'superseded_by'] as const;

/** Prints duplicates and dead letters, and says on stderr which lists may be incomplete because of their limit. */
function printOthers({ duplicates, dead_letters, incomplete }: TripTrace | DriverDayTrace): void {
  printSection('duplicates', duplicates, ['position', 'received_at', ...SOURCE]);
  printSection('dead letters', dead_letters, [...DEAD_LETTER_FIELDS, 'match']);
  if (incomplete.length === 0) return;
  const lists = incomplete.map((name) => name.replace('_', ' ')).join(', ');
  say(`These lists may have more entries than are shown: ${lists}.`);
}

/** Prints a heading, and a note if the API does not reflect all of these events yet. */
function printHeading(heading: string, answerPosition: number, events: readonly TracedEvent[]): void {
  printText(heading);
  if (events.some(({ position }) => position > answerPosition))
    printText(`The API shows the log up to position ${answerPosition}, and does not show all of these events yet.`);
}

function printTrip(trace: TripTrace): void {
  const { trip_id, fleet_id, source_trip_id, stored_events, deleted, current_position, answer_position } = trace;
  const current = stored_events.find(({ position }) => position === current_position);
  const state = deleted ? 'deleted by' : 'as of';
  const now = current ? `, ${state} revision ${current.revision} at position ${current.position}` : '';
  const heading = `Trip ${trip_id} of the fleet ${fleet_id}, with the source trip id ${quoted(source_trip_id ?? '')}${now}.`;
  printHeading(heading, answer_position, stored_events);
  const others = (['traceparent', 'set_aside'] as const).filter((name) =>
    stored_events.some((event) => event[name] !== null),
  );
  printSection('stored events', stored_events, [...EVENT, 'driver_id', 'stored_at', ...SOURCE, ...others]);
  printOthers(trace);
}

function printDriverDay(trace: DriverDayTrace): void {
  const { driver_id, fleet_id, date, trip_count, stored_events, profile_events, answer_position } = trace;
  const heading = `Driver ${quoted(driver_id)} of the fleet ${fleet_id} on ${date} (UTC): ${counted(trip_count, 'trip')}.`;
  printHeading(heading, answer_position, [...stored_events, ...profile_events]);
  const events = stored_events.map((event) => {
    const { trip_start_time: start } = event;
    return { ...event, started_at: start === null ? null : new Date(start).toISOString() };
  });
  const names = [...EVENT, 'counted', 'driver_id', 'started_at', 'trip_id'] as const;
  printSection('stored events of all trips that are or were on this day', events, names);
  printSection('profile', profile_events, [...EVENT, ...SOURCE]);
  printOthers(trace);
}

/** How `milepost trace`, which finds the records that a response was made from, presents its results. */
export const presentations: Presentations = {
  'trace.trip': {
    readers: { trip_id: tripId },
    examples: ['milepost trace trip 0f4a6b1c9d2e8f70a1b2c3d4e5f60718 --json'],
    print: printTrip,
  } satisfies PresentationOf<typeof tripTrace>,
  'trace.driver': {
    examples: ['milepost trace driver sunrise-delivery driver-0007 2025-01-31'],
    print: printDriverDay,
  } satisfies PresentationOf<typeof driverDayTrace>,
};
