import { addDays, type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { go } from '../../shared/hash.ts';
import type { History } from '../periods.ts';
import { hrefOf } from '../route.ts';

interface PickerProperties {
  driverId: string;
  history: History;
  from: CalendarDate;
  through: CalendarDate;
}

const LENGTHS = [7, 28, 91] as const;

/** Chooses the period whose trips are shown. */
export function PeriodPicker({ driverId, history, from, through }: PickerProperties) {
  const choose = (period: { from?: string; through?: string }) => {
    const next = { from, through, ...period };
    // A field that is half typed has no value.
    if (!isCalendarDate(next.from) || !isCalendarDate(next.through) || next.from > next.through) return;
    go(hrefOf({ view: 'driver', driverId, from: next.from, through: next.through }), true);
  };
  const limits = { min: history.earliest, max: history.today };
  return (
    <div class="filters">
      <label>
        From
        <input
          type="date"
          {...limits}
          value={from}
          onChange={({ currentTarget }) => choose({ from: currentTarget.value })}
        />
      </label>
      <label>
        Through
        <input
          type="date"
          {...limits}
          value={through}
          onChange={({ currentTarget }) => choose({ through: currentTarget.value })}
        />
      </label>
      <span class="actions">
        {LENGTHS.map((days) => (
          <button
            key={days}
            type="button"
            onClick={() => choose({ from: addDays(history.today, 1 - days), through: history.today })}
          >
            {days} days
          </button>
        ))}
        <button type="button" onClick={() => choose({ from: history.earliest, through: history.today })}>
          6 months
        </button>
      </span>
    </div>
  );
}
