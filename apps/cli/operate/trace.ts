import { driverDayTrace, tripTrace } from '@milepost/operations/lineage';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { tripId } from '../arguments.ts';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import type { Json } from './client.ts';
import { addOperation } from './command.ts';
import { DEAD_LETTER_HEADINGS, deadLetterCells } from './dead-letters.ts';

type TripTrace = Json<Static<typeof tripTrace.answer>>;
type DriverDayTrace = Json<Static<typeof driverDayTrace.answer>>;
type TracedEvent = TripTrace['stored_events'][number];
type Cell = string | number | null;

/** An id as text that does nothing to a terminal: JSON leaves only the control characters above U+007E as they are. */
function quoted(id: string): string {
  return JSON.stringify(id).replaceAll(/\p{Cc}/gu, '?');
}

function printSection(title: string, header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  process.stdout.write(`\n${title}:${rows.length === 0 ? ' none' : ''}\n`);
  if (rows.length > 0) printTable(header, rows);
}

/** Columns for what only one kind of trace shows of a stored event, by their headings. */
type Columns<Event> = Readonly<Record<string, (event: Event) => Cell>>;

/** A time in UTC without what stands behind `length` characters of `2025-01-31 08:00:00`. */
const shortTime = (time: string, length: number) => time.slice(0, length).replace('T', ' ');

const PLACE: Columns<TracedEvent> = {
  source: ({ topic, partition, offset }) => `${topic}/${partition} offset ${offset}`,
};

function printEvents<Event extends TracedEvent>(
  title: string,
  events: readonly Event[],
  columns: Columns<Event>,
): void {
  printSection(
    title,
    ['position', 'kind', 'revision', 'state', ...Object.keys(columns)],
    events.map((event) => [
      event.position,
      event.kind,
      event.revision,
      event.superseded_by === null ? event.state.replace('_', ' ') : `superseded by ${event.superseded_by}`,
      ...Object.values(columns).map((cell) => cell(event)),
    ]),
  );
}

/** Prints what came again and what was refused, and says on stderr which lists were cut off. */
function printOthers({ duplicates, dead_letters, incomplete }: TripTrace | DriverDayTrace): void {
  printSection(
    'duplicates',
    ['of position', 'received', 'source', 'partition', 'offset'],
    duplicates.map(({ position, received_at, topic, partition, offset }) => [
      position,
      received_at,
      topic,
      partition,
      offset,
    ]),
  );
  printSection(
    'dead letters',
    [...DEAD_LETTER_HEADINGS, 'matched by'],
    dead_letters.map((letter) => [...deadLetterCells(letter), letter.match === 'parsed' ? 'its fields' : 'its text']),
  );
  if (incomplete.length === 0) return;
  const lists = incomplete.map((name) => name.replace('_', ' ')).join(', ');
  process.stderr.write(`There may be more than is shown: ${lists}.\n`);
}

/** What to say when answers do not yet show all of it; empty when they do. */
function behindNote(answerPosition: number, events: readonly TracedEvent[]): string {
  const newest = Math.max(0, ...events.map((event) => event.position));
  return newest > answerPosition
    ? `Answers show the log up to position ${answerPosition}, and so not yet all of this.\n`
    : '';
}

function printTrip(trace: TripTrace): void {
  const { trip_id, fleet_id, source_trip_id, stored_events, deleted, current_position, answer_position } = trace;
  const current = stored_events.find(({ position }) => position === current_position);
  const state = deleted ? 'deleted by' : 'as of';
  const now = current ? `, ${state} revision ${current.revision} at position ${current.position}` : '';
  process.stdout.write(
    `Trip ${trip_id} of the fleet ${fleet_id}, at its source ${quoted(source_trip_id ?? '')}${now}.\n${behindNote(answer_position, stored_events)}`,
  );
  printEvents('stored events', stored_events, {
    driver: (event) => event.driver_id,
    'stored (UTC)': (event) => shortTime(event.stored_at, 19),
    ...PLACE,
  });
  printOthers(trace);
}

function printDriverDay(trace: DriverDayTrace): void {
  const { driver_id, fleet_id, date, trip_count, stored_events, profile_events, answer_position } = trace;
  const trips = trip_count === 1 ? '1 trip' : `${trip_count} trips`;
  process.stdout.write(
    `Driver ${quoted(driver_id)} of the fleet ${fleet_id} on ${date} (UTC): ${trips}.\n${behindNote(answer_position, [...stored_events, ...profile_events])}`,
  );
  printEvents('stored events of all trips that were ever on this day', stored_events, {
    counted: (event) => (event.counted ? 'yes' : 'no'),
    driver: (event) => event.driver_id,
    'start (UTC)': ({ trip_start_time: start }) =>
      start === null ? null : shortTime(new Date(start).toISOString(), 16),
    trip: (event) => event.trip_id,
  });
  printEvents('profile', profile_events, PLACE);
  printOthers(trace);
}

/** `milepost trace`: from an answer back to the records behind it. */
export function addTrace(program: Command): void {
  addOperation(program, tripTrace, {
    readers: { trip_id: tripId },
    examples: ['milepost trace trip 0f4a6b1c9d2e8f70a1b2c3d4e5f60718 --json'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) printJson(answer);
      else printTrip(answer);
    },
  });
  addOperation(program, driverDayTrace, {
    examples: ['milepost trace driver sunrise-delivery driver-0007 2025-01-31'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) printJson(answer);
      else printDriverDay(answer);
    },
  });
}
