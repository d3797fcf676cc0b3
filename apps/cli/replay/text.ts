import { printTable, recordLines, replaceControlCharacters } from '../output.ts';
import { remaining } from '../progress.ts';
import { isAtRest, type ListedReplay, type ReplayView, type TableVerification, type Verification } from './view.ts';
import { nextCommands, percentDone, phaseWords, remainingWords, replayName, throttleWords, verdict } from './words.ts';

function promotion({ phase, promote, accept_differences, kind }: ReplayView): string | null {
  const isOver = ['promoted', 'cancelled', 'cancelling', 'dropped', 'dropping'].includes(phase);
  if (kind === 'roll_back' || isOver) return null;
  if (!promote) return 'on request';
  return accept_differences
    ? 'after verification, even with differences'
    : 'after verification, unless there are unexpected differences';
}

/** Returns a replay as text that ends with a line break: its fields, and the commands that currently apply. */
export function replayText(view: ReplayView): string {
  const { phase, position, target, trips_per_second, cutoff, created_at, requested_by, error, generations } = view;
  const share = phase === 'filling' || phase === 'catching_up' ? `, ${percentDone(view)}%` : '';
  const idle = isAtRest(view) ? null : 'none: is an ops process running (`milepost ops`, or `npm start`)?';
  const fields: [name: string, value: string | null][] = [
    ['error', error],
    ['position', `${position} of ${target}${share}`],
    ['speed', trips_per_second === null ? null : `${trips_per_second} trips/s`],
    ['time', remainingWords(view)],
    ['worker', view.running ? 'running' : idle],
    ['throttle', throttleWords(view)],
    ['promotion', promotion(view)],
    ['rows from', cutoff === null ? null : `${cutoff} on`],
    ['requested', `${created_at} by ${requested_by}`],
    ['ended', view.finished_at],
    ...generations.map(({ projection, generation, version, checkpoint }, index): [string, string] => [
      index === 0 ? 'generations' : '',
      `${projection} ${generation}, version ${version}, at position ${checkpoint}`,
    ]),
    ...nextCommands(view).map(({ command, summary }, index): [string, string] => [
      index === 0 ? 'next' : '',
      `${command}: ${summary}`,
    ]),
  ];
  const shown = fields.filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = [
    `${replayName(view)}: ${phaseWords(view)}`,
    ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ];
  return `${replaceControlCharacters(lines.join('\n'))}\n`;
}

/** How many characters an excerpt shows before the first difference, and how many in total. */
const CHARACTERS_BEFORE_DIFFERENCE = 40;
const EXCERPT_CHARACTERS = 160;

function excerpt(value: string | null, from: number): string {
  if (value === null) return 'no such row';
  const start = Math.max(0, from - CHARACTERS_BEFORE_DIFFERENCE);
  const text = value.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? '...' : ''}${text}${start + EXCERPT_CHARACTERS < value.length ? '...' : ''}`;
}

/** Shortens long rows to the part around the first difference. */
function shortened({ day, key, live, replayed }: TableVerification['samples'][number]) {
  let from = 0;
  if (live !== null && replayed !== null) while (from < live.length && live[from] === replayed[from]) from += 1;
  return { day, key, live: excerpt(live, from), replayed: excerpt(replayed, from) };
}

function summaryOf({ projection, live, replayed, ...table }: TableVerification) {
  return {
    table: projection,
    live: live.generation,
    replayed: replayed.generation,
    version: live.version === replayed.version ? `${live.version}` : `${live.version} to ${replayed.version}`,
    live_rows: live.rows,
    replayed_rows: replayed.rows,
    differences: table.differences,
    days: table.differing_day_count,
    equal: table.equal,
    expected: table.expected,
  };
}

/**
 * Returns a verification as text that ends with a line break: each table's counts, and then the days, samples and
 * changes of tables that differ.
 */
export function verificationText(verification: Verification): string {
  const { position, compared_at, cutoff, tables } = verification;
  const differing = tables.filter(({ equal }) => !equal);
  const lines = [
    `Verified at position ${position} (${compared_at}): ${verdict(verification)}.`,
    ...(cutoff === null
      ? []
      : [`Rows for days before ${cutoff} were not compared, because one of the tables does not keep them.`]),
    ...recordLines({ tables: tables.map(summaryOf) }),
    ...differing.flatMap(({ projection, differing_days, samples, changes }) => [
      '',
      `${projection}:`,
      ...recordLines({ ...changes, differing_days, samples: samples.map(shortened) }, `${projection}, `),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

const MAX_NAME_CHARACTERS = 16;

/** Shortens a name so that the table fits in a terminal. */
function shortName(text: string): string {
  return text.length > MAX_NAME_CHARACTERS ? `${text.slice(0, MAX_NAME_CHARACTERS - 3)}...` : text;
}

/** Exported for tests. */
export const REPLAY_HEADER = ['id', 'projection', 'state', 'done', 'left', 'verified', 'by', 'requested (UTC)'];

/** Returns a replay as a row of the list. Exported for tests. */
export function replayRow(view: ListedReplay): (string | number | null)[] {
  const { verification, remaining_seconds } = view;
  const isOver = isAtRest(view) && view.halted === null;
  const outcome = verification?.equal
    ? 'equal'
    : verification && `${verification.differences} differ${verification.expected ? ', expected' : ''}`;
  return [
    view.id,
    shortName(view.projection),
    `${view.kind === 'roll_back' && view.phase !== 'promoted' ? 'rollback: ' : ''}${phaseWords(view)}`,
    isOver ? null : `${percentDone(view)}%`,
    remaining_seconds === null ? null : remaining(remaining_seconds),
    outcome,
    shortName(view.requested_by),
    view.created_at.slice(0, 16).replace('T', ' '),
  ];
}

/** Writes replays as a table to stdout. */
export function printReplays(views: readonly ListedReplay[]): void {
  printTable(REPLAY_HEADER, views.map(replayRow));
}
