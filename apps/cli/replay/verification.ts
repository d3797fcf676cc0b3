import type { DifferenceSample, TableVerification, Verification } from '@milepost/replay';
import { tableLines } from '../output.ts';
import { changesLines } from './changes.ts';

const MOST_DAYS = 10;
const MOST_SAMPLES = 5;
/** How much of two values is shown around the place where they part. */
const BEFORE_DIFFERENCE = 40;
const EXCERPT_CHARACTERS = 160;
/** What would move the cursor, ring or forge a line. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n]/gu;

const plural = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

interface Verdict {
  equal: boolean;
  expected: boolean;
  differences: number;
}

function verdict({ equal, expected, differences }: Verdict, where = ''): string {
  if (equal) return 'equal';
  const differ = `${plural(differences, 'row')} ${differences === 1 ? 'differs' : 'differ'}${where}`;
  return expected ? `${differ}, as a changed version explains` : `${differ}, and no changed version explains it`;
}

function excerpt(value: string | null, from: number): string {
  if (value === null) return 'no such row';
  const start = Math.max(0, from - BEFORE_DIFFERENCE);
  const text = value.slice(start, start + EXCERPT_CHARACTERS).replaceAll('\n', '?');
  return `${start > 0 ? '...' : ''}${text}${start + EXCERPT_CHARACTERS < value.length ? '...' : ''}`;
}

function firstDifference(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) if (left[index] !== right[index]) return index;
  return length;
}

function sampleLines({ day, key, live, replayed }: DifferenceSample): string[] {
  const from = live === null || replayed === null ? 0 : firstDifference(live, replayed);
  return [
    [day, key.replaceAll('\n', '?')].filter((text) => text !== null).join(' '),
    `  live      ${excerpt(live, from)}`,
    `  replayed  ${excerpt(replayed, from)}`,
  ];
}

/** The days on which a table differs; none for a table whose rows have no day. */
function dayLines({ differing_days, differing_day_count }: TableVerification): string[] {
  const shown = differing_days.filter(({ day }) => day !== null).slice(0, MOST_DAYS);
  if (shown.length === 0) return [];
  const more = differing_day_count - shown.length;
  const table = tableLines(
    ['day', 'live rows', 'replayed rows'],
    shown.map(({ day, live_rows, replayed_rows }) => [day, live_rows, replayed_rows]),
  );
  return ['', ...table, ...(more > 0 ? [`and ${plural(more, 'more day')}`] : [])];
}

function differenceLines(table: TableVerification): string[] {
  const { projection, live, replayed, differences, differing_day_count, samples, changes } = table;
  const versions = live.version === replayed.version ? '' : ` (version ${live.version} to ${replayed.version})`;
  const days = dayLines(table);
  const where = days.length === 0 ? '' : ` on ${plural(differing_day_count, 'day')}`;
  const shown = samples.slice(0, MOST_SAMPLES);
  const details = [
    ...days,
    ...shown.flatMap((sample) => ['', ...sampleLines(sample)]),
    ...(shown.length < differences ? [`(${shown.length} of ${differences} shown)`] : []),
    ...(changes === null ? [] : ['', ...changesLines(changes)]),
  ];
  return [
    '',
    `${projection}${versions}: ${verdict(table, where)}.`,
    ...details.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

function verdictOfTable({ equal, expected }: TableVerification): string {
  if (equal) return 'equal';
  return expected ? 'differs, expected' : 'differs, not expected';
}

function tablesLines({ tables }: Verification): string[] {
  return tableLines(
    ['table', 'live', 'replayed', 'version', 'live rows', 'replayed rows', 'rows differing', 'days', 'verdict'],
    tables.map((table) => [
      table.projection,
      table.live.generation,
      table.replayed.generation,
      table.live.version === table.replayed.version
        ? String(table.live.version)
        : `${table.live.version} to ${table.replayed.version}`,
      table.live.rows,
      table.replayed.rows,
      table.differences,
      table.differing_day_count,
      verdictOfTable(table),
    ]),
  );
}

/**
 * The report of a verification for people: each table's verdict and counts, then of those that differ the days, samples
 * of both sides, and what changes about scores. Plain text that ends with a line end and does nothing to a terminal.
 */
export function printVerification(verification: Verification): string {
  const { position, compared_at, cutoff, tables } = verification;
  const lines = [
    `Verified at position ${position} (${compared_at}): ${verdict(verification)}.`,
    ...(cutoff === null ? [] : [`Rows of days before ${cutoff} were left out: one side does not keep them.`]),
    '',
    ...tablesLines(verification),
    ...tables.filter(({ equal }) => !equal).flatMap(differenceLines),
  ];
  return `${lines.join('\n').replaceAll(CONTROL_CHARACTERS, '?')}\n`;
}
