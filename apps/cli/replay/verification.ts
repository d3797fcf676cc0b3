import { counted, tableLines } from '../output.ts';
import { changesLines } from './changes.ts';
import type { TableVerification, Verification } from './view.ts';
import { replaceControlCharacters, verdict } from './words.ts';

const MAX_DAYS = 10;
const MAX_SAMPLES = 5;
/** The number of characters that an excerpt shows before the first difference, and in total. */
const CHARACTERS_BEFORE_DIFFERENCE = 40;
const EXCERPT_CHARACTERS = 160;

function excerpt(value: string | null, from: number): string {
  if (value === null) return 'no such row';
  const start = Math.max(0, from - CHARACTERS_BEFORE_DIFFERENCE);
  const text = value.slice(start, start + EXCERPT_CHARACTERS).replaceAll('\n', '?');
  return `${start > 0 ? '...' : ''}${text}${start + EXCERPT_CHARACTERS < value.length ? '...' : ''}`;
}

function sampleLines({ day, key, live, replayed }: TableVerification['samples'][number]): string[] {
  let from = 0;
  if (live !== null && replayed !== null) while (from < live.length && live[from] === replayed[from]) from += 1;
  return [
    '',
    [day, key.replaceAll('\n', '?')].filter((text) => text !== null).join(' '),
    `  live      ${excerpt(live, from)}`,
    `  replayed  ${excerpt(replayed, from)}`,
  ];
}

const versions = ({ live, replayed }: TableVerification) =>
  live.version === replayed.version ? String(live.version) : `${live.version} to ${replayed.version}`;

function differenceLines(table: TableVerification): string[] {
  const { projection, live, replayed, differences, differing_days, differing_day_count, samples, changes } = table;
  const days = differing_days.filter(({ day }) => day !== null).slice(0, MAX_DAYS);
  const [shown, more] = [samples.slice(0, MAX_SAMPLES), differing_day_count - days.length];
  const where = days.length === 0 ? '' : ` on ${counted(differing_day_count, 'day')}`;
  const dayRows = days.map(({ day, live_rows, replayed_rows }) => [day, live_rows, replayed_rows]);
  const details = [
    ...(days.length === 0 ? [] : ['', ...tableLines(['day', 'live rows', 'replayed rows'], dayRows)]),
    ...(days.length > 0 && more > 0 ? [`and ${counted(more, 'more day')}`] : []),
    ...shown.flatMap(sampleLines),
    ...(shown.length < differences ? [`(${shown.length} of ${differences} shown)`] : []),
    ...(changes === null ? [] : ['', ...changesLines(changes)]),
  ];
  return [
    '',
    `${projection}${live.version === replayed.version ? '' : ` (version ${versions(table)})`}: ${verdict(table, where)}.`,
    ...details.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

const HEADER = [
  'table',
  'live',
  'replayed',
  'version',
  'live rows',
  'replayed rows',
  'rows differing',
  'days',
  'verdict',
];

function tableRow(table: TableVerification): (string | number)[] {
  const { projection, live, replayed, differences, differing_day_count, equal, expected } = table;
  const outcome = equal ? 'equal' : expected ? 'differs, expected' : 'differs, not expected';
  const rows = [live.rows, replayed.rows, differences, differing_day_count];
  return [projection, live.generation, replayed.generation, versions(table), ...rows, outcome];
}

/**
 * Returns the report of a verification as text, with the counts of each table, and then the days, samples and changes
 * of the tables that differ. It ends with a line break, and contains no control characters other than line breaks.
 */
export function verificationText(verification: Verification): string {
  const { position, compared_at, cutoff, tables } = verification;
  const lines = [
    `Verified at position ${position} (${compared_at}): ${verdict(verification)}.`,
    ...(cutoff === null
      ? []
      : [`Rows of days before ${cutoff} were not compared, because one of the tables does not keep them.`]),
    '',
    ...tableLines(HEADER, tables.map(tableRow)),
    ...tables.filter(({ equal }) => !equal).flatMap(differenceLines),
  ];
  return `${replaceControlCharacters(lines.join('\n'))}\n`;
}
