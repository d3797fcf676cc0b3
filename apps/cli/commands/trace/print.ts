import type { TracedDeadLetter, TracedDuplicate, TracedEvent } from '@milepost/operations/lineage';
import { DEAD_LETTER_HEADINGS, deadLetterCells } from '../../output/dead-letters.ts';
import { printTable } from '../../output/table.ts';

type Cell = string | number | null;

/** An id as text that does nothing to a terminal: JSON leaves only the control characters above U+007E as they are. */
export function quoted(id: string): string {
  return JSON.stringify(id).replaceAll(/\p{Cc}/gu, '?');
}

function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function printSection(title: string, header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  heading(rows.length === 0 ? `${title}: none` : `${title}:`);
  if (rows.length > 0) printTable(header, rows);
}

/** A column of its own for what only one kind of trace knows about a stored event. */
export interface ExtraColumn<Event> {
  name: string;
  value: (event: Event) => Cell;
}

function stateOf({ state, superseded_by }: TracedEvent): string {
  return superseded_by === null ? state.replace('_', ' ') : `superseded by ${superseded_by}`;
}

/** Where a stored event came from, as `milepost.trips/3 offset 12`. */
export function placeOf({ topic, partition, offset }: TracedEvent): string {
  return `${topic}/${partition} offset ${offset}`;
}

/** Prints stored events as a table, in the order given; what no column shows is in the JSON. */
export function printEvents<Event extends TracedEvent>(
  title: string,
  events: readonly Event[],
  extra: readonly ExtraColumn<Event>[] = [],
): void {
  printSection(
    title,
    ['position', 'kind', 'revision', 'state', ...extra.map((column) => column.name)],
    events.map((event) => [
      event.position,
      event.kind,
      event.revision,
      stateOf(event),
      ...extra.map((column) => column.value(event)),
    ]),
  );
}

/** Prints what came again, and what was refused. */
export function printOthers(duplicates: readonly TracedDuplicate[], letters: readonly TracedDeadLetter[]): void {
  printSection(
    'duplicates',
    ['of position', 'received', 'source', 'partition', 'offset'],
    duplicates.map((duplicate) => [
      duplicate.position,
      duplicate.received_at.toISOString(),
      duplicate.topic,
      duplicate.partition,
      duplicate.offset,
    ]),
  );
  printSection(
    'dead letters',
    [...DEAD_LETTER_HEADINGS, 'matched by'],
    letters.map((letter) => [...deadLetterCells(letter), letter.match === 'parsed' ? 'its fields' : 'its text']),
  );
}

/** Says on stderr which lists were cut off. */
export function warnIncomplete(incomplete: readonly string[]): void {
  if (incomplete.length === 0) return;
  const lists = incomplete.map((name) => name.replace('_', ' ')).join(', ');
  process.stderr.write(`There may be more than is shown: ${lists}.\n`);
}

/** What to say when answers do not yet show all of it; empty when they do. */
export function behindNote(answerPosition: number, events: readonly TracedEvent[]): string {
  const newest = Math.max(0, ...events.map((event) => event.position));
  return newest > answerPosition
    ? `Answers show the log up to position ${answerPosition}, and so not yet all of this.\n`
    : '';
}
