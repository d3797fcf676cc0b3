import { addDays, type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { navigate } from '../../shared/hash.ts';
import { TextField } from '../../shared/text-field.tsx';
import type { History } from '../periods.ts';
import { hrefOf } from '../route.ts';

interface PickerProps {
  driverId: string;
  history: History;
  from: CalendarDate;
  through: CalendarDate;
}

const LENGTHS_DAYS = [7, 28, 91] as const;

/** Selects the period of the trip list. */
export function PeriodPicker({ driverId, history, from, through }: PickerProps) {
  const choose = (period: { from?: string; through?: string }) => {
    const next = { from, through, ...period };
    // The value of an incomplete date field is an empty string.
    if (!isCalendarDate(next.from) || !isCalendarDate(next.through) || next.from > next.through) return;
    navigate(hrefOf({ view: 'driver', driverId, from: next.from, through: next.through }), true);
  };
  const limits = { min: history.earliest, max: history.today };
  return (
    <div class="filters">
      <TextField label="From" type="date" {...limits} text={from} onChange={(day) => choose({ from: day })} />
      <TextField label="Through" type="date" {...limits} text={through} onChange={(day) => choose({ through: day })} />
      <span class="actions">
        {LENGTHS_DAYS.map((days) => (
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
