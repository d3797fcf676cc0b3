import { dateText } from '../../shared/calendar-text.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { whole } from '../figures.ts';

/** Rows of a day on two sides that differ. */
interface DifferingDay {
  day: string | null;
  before: number;
  after: number;
}

const HEIGHT = 60;
const STEP = 14;
const BAR = 5;

/** Two bars a day: what is live, and what was built. */
function Bars({ days, before, after }: { days: readonly DifferingDay[]; before: string; after: string }) {
  const most = Math.max(1, ...days.flatMap((each) => [each.before, each.after]));
  const dates = days.flatMap(({ day }) => day ?? []).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  const height = (rows: number) => (rows / most) * HEIGHT;
  return (
    <figure class="day-bars">
      <div class="bars">
        <svg
          width={days.length * STEP}
          height={HEIGHT}
          role="img"
          aria-label={`Rows of ${days.length} days that differ: ${before} and ${after}`}
        >
          {days.map((each, index) => (
            <g key={each.day}>
              <rect
                class="before"
                x={index * STEP}
                y={HEIGHT - height(each.before)}
                width={BAR}
                height={height(each.before)}
              />
              <rect
                class="after"
                x={index * STEP + BAR + 1}
                y={HEIGHT - height(each.after)}
                width={BAR}
                height={height(each.after)}
              />
            </g>
          ))}
        </svg>
      </div>
      <figcaption>
        <span class="key before" aria-hidden="true" /> {before} <span class="key after" aria-hidden="true" /> {after},
        rows by day{first && last ? ` from ${dateText(first)} to ${dateText(last)}` : ''}; the most is {whole(most)}
      </figcaption>
    </figure>
  );
}

/** The days on which two sides differ, drawn and listed. */
export function DifferenceDays({
  days,
  total,
  before,
  after,
}: {
  days: readonly DifferingDay[];
  /** How many differ; `days` may be the first of them. */
  total: number;
  before: string;
  after: string;
}) {
  const columns: Column<DifferingDay>[] = [
    {
      name: 'day',
      title: 'Day',
      value: ({ day }) => day,
      cell: ({ day }) => (day === null ? 'without a day' : dateText(day)),
    },
    {
      name: 'before',
      title: `Rows ${before}`,
      isNumber: true,
      value: (each) => each.before,
      cell: (each) => whole(each.before),
    },
    {
      name: 'after',
      title: `Rows ${after}`,
      isNumber: true,
      value: (each) => each.after,
      cell: (each) => whole(each.after),
    },
    {
      name: 'change',
      title: 'Change',
      isNumber: true,
      value: (each) => each.after - each.before,
      cell: (each) =>
        each.after === each.before
          ? 'other values'
          : `${each.after > each.before ? '+' : '−'}${whole(Math.abs(each.after - each.before))}`,
    },
  ];
  return (
    <>
      <Bars days={days} before={before} after={after} />
      <DataTable
        caption={`Days that differ, ${before} and ${after}`}
        columns={columns}
        rows={days}
        keyOf={({ day }) => day ?? ''}
        rowsPerPage={14}
      />
      {total > days.length && (
        <p class="quiet">
          These are the first {whole(days.length)} of {whole(total)} days that differ.
        </p>
      )}
    </>
  );
}
