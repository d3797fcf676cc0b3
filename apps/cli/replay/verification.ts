import { recordLines } from '../output.ts';
import type { TableVerification, Verification } from './view.ts';
import { verdict } from './words.ts';

/** The number of characters that an excerpt shows before the first difference, and in total. */
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
 * Returns a verification's report as text: each table's counts, and then the days, samples and changes of tables that
 * differ. The text ends with a line break.
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
