import { tableLines } from '../output.ts';
import type { TableVerification } from './view.ts';

type Changes = NonNullable<TableVerification['changes']>;

const BAR_CHARACTERS = 30;

function share(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${((part / whole) * 100).toFixed(1)} %)`;
}

const signed = (points: number) => (points > 0 ? `+${points}` : String(points));

/** Returns the lines of a table whose columns are the fields of the records, or no lines if there are no records. */
function table(title: string, rows: readonly Record<string, string | number | null>[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const names = Object.keys(first);
  return [
    '',
    title,
    ...tableLines(
      names.map((name) => name.replaceAll('_', ' ')),
      rows.map(Object.values),
    ),
  ];
}

function scoreLines({ period, change, distribution, grade_transitions, largest, ...counts }: Changes): string[] {
  const { compared, changed, changed_dates, drivers, changed_drivers } = counts;
  const most = Math.max(1, ...distribution.map(({ count }) => count));
  return [
    `${changed} of ${compared} driver ${period}s${share(changed, compared)} have a changed score or grade, in ${changed_dates} calendar ${period}s and for ${changed_drivers} of ${drivers} drivers${share(changed_drivers, drivers)}.`,
    ...(change === null
      ? []
      : [
          `Change of fm_score: mean ${signed(change.mean)}, median ${signed(change.median)}; absolute change: mean ${change.mean_size}, p95 ${change.p95_size}, max ${change.largest_size}.`,
          ...table(
            'Scores that change, by points:',
            distribution.map(({ direction, at_least, below, count }) => ({
              direction,
              from: at_least,
              below,
              count,
              // If a bucket contains any score, its bar has at least one character.
              share: '#'.repeat(Math.ceil((count / most) * BAR_CHARACTERS)),
            })),
          ),
        ]),
    ...table('Grades that change:', grade_transitions),
    ...table('The largest changes:', largest),
  ];
}

/** Returns the changes of a table as lines of text. */
export function changesLines(changes: Changes): string[] {
  const { only_live, only_replayed } = changes;
  return [
    ...scoreLines(changes),
    ...(only_live + only_replayed === 0
      ? []
      : ['', `${only_live} rows are only in the live table, and ${only_replayed} only in the replayed one.`]),
  ];
}
