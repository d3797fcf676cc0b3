import type { CalendarDate } from '@milepost/domain/calendar';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { dateText, monthOfWeek } from '../../shared/calendar-text.ts';
import { countText, decimal } from '../../shared/format.ts';
import type { Summary } from '../api.ts';
import { BANDS } from '../grade.tsx';
import { calendarMondays, daysOfWeek, type History } from '../periods.ts';
import { hrefOf } from '../route.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

interface CalendarProps {
  driverId: string;
  history: History;
  /** The days with trips, by date. */
  days: ReadonlyMap<string, Summary>;
  firstTravelDate: CalendarDate;
}

function label(day: string, summary: Summary): string {
  return `${dateText(day)}: score ${summary.fm_score}, ${summary.fm_grade}, ${countText(summary.trip_count, 'trip')}`;
}

function Day({ driverId, history, days, day }: Omit<CalendarProps, 'firstTravelDate'> & { day: CalendarDate }) {
  if (day < history.earliest || day > history.today) return <td class="outside" />;
  const summary = days.get(day);
  if (!summary || summary.fm_score === null) {
    return <td class={day === history.today ? 'today' : 'idle'} title={dateText(day)} />;
  }
  return (
    <td>
      <a
        class={`day ${summary.fm_grade}`}
        href={hrefOf({ view: 'driver', driverId, from: day, through: day })}
        title={label(day, summary)}
      >
        {decimal(summary.fm_score, 0)}
        <span class="unseen">, {label(day, summary)}</span>
      </a>
    </td>
  );
}

/**
 * The days of the last six months, from the first trip onward, with one column per week. A day with trips shows its
 * score in the colour of its grade.
 */
export function Calendar({ firstTravelDate, ...days }: CalendarProps) {
  const weeks = calendarMondays(days.history, firstTravelDate).map(daysOfWeek);
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // If the calendar is wider than the screen, show the latest days first.
    if (frame.current) frame.current.scrollLeft = frame.current.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll.
    <section ref={frame} class="scroll" tabIndex={0} aria-label="Calendar of days with trips">
      <table class="calendar">
        <caption class="unseen">Calendar of days with trips, by score</caption>
        <thead>
          <tr>
            <td />
            {weeks.map((week, index) => {
              const [monday = ''] = week;
              return (
                <th key={monday} scope="col">
                  <span class="unseen">Week of {dateText(monday)}</span>
                  <span aria-hidden="true">{monthOfWeek(week, index === 0)}</span>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((name, weekday) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {weeks.map((week) => {
                const day = week[weekday];
                return day === undefined ? null : <Day key={day} {...days} day={day} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The legend of the calendar's colours. */
export function GradeLegend() {
  return (
    <p class="legend">
      {BANDS.map(([grade, from]) => (
        <span key={grade}>
          <span class={`swatch ${grade}`}>{from}+</span> {grade}
        </span>
      ))}
    </p>
  );
}
