import { dateText } from '../../shared/calendar-text.ts';
import { column, computedColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { signedText } from '../../shared/format.ts';
import { integerColumn } from '../columns.tsx';
import { integerText } from '../text.ts';

/** The number of differing rows for one day in each of two read tables. */
interface DifferingDay {
  day: string | null;
  before: number;
  after: number;
}

interface DifferenceDaysProps {
  days: readonly DifferingDay[];
  /** The number of days that differ; `days` may contain only the first few. */
  total: number;
  before: string;
  after: string;
}

const HEIGHT = 60;
const STEP = 14;
const BAR = 5;

/** Two bars for each day. */
function Bars({ days, before, after }: Omit<DifferenceDaysProps, 'total'>) {
  const max = Math.max(1, ...days.flatMap((each) => [each.before, each.after]));
  const dates = days.flatMap(({ day }) => day ?? []).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  const height = (rows: number) => (rows / max) * HEIGHT;
  return (
    <figure class="day-bars">
      <div class="bars">
        <svg
          width={days.length * STEP}
          height={HEIGHT}
          role="img"
          aria-label={`Differing rows on ${days.length} days: ${before} and ${after}`}
        >
          {days.map((each, index) => (
            <g key={each.day}>
              {(['before', 'after'] as const).map((table, place) => (
                <rect
                  key={table}
                  class={table}
                  x={index * STEP + place * (BAR + 1)}
                  y={HEIGHT - height(each[table])}
                  width={BAR}
                  height={height(each[table])}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <figcaption>
        <span class="key before" aria-hidden="true" /> {before} <span class="key after" aria-hidden="true" /> {after},
        rows by day{first && last ? ` from ${dateText(first)} to ${dateText(last)}` : ''}; maximum {integerText(max)}
      </figcaption>
    </figure>
  );
}

/** The days on which two read tables differ, as a chart and a table. */
export function DifferenceDays({ days, total, before, after }: DifferenceDaysProps) {
  const columns: Column<DifferingDay>[] = [
    column('day', 'Day', (day) => (day === null ? 'no day' : dateText(day))),
    integerColumn('before', `Rows ${before}`),
    integerColumn('after', `Rows ${after}`),
    computedColumn(
      'change',
      'Change',
      (each) => each.after - each.before,
      (change) => (change === 0 ? 'values differ' : signedText(change, 0)),
    ),
  ];
  return (
    <>
      <Bars days={days} before={before} after={after} />
      <DataTable caption={`Days that differ, ${before} and ${after}`} columns={columns} rows={days} rowsPerPage={14} />
      {total > days.length && (
        <p class="quiet">
          The table shows the first {integerText(days.length)} of {integerText(total)} days that differ.
        </p>
      )}
    </>
  );
}
