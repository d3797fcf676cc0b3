import type { Driver } from '@milepost/client';
import { answerableDates } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, DAYS_PER_WEEK, isCalendarDate, mondayOf } from '@milepost/domain/calendar';
import { useSignal } from '@preact/signals';
import { useQuery } from '@tanstack/preact-query';
import { useMemo, useState } from 'preact/hooks';
import { dateText } from '../../shared/calendar-text.ts';
import { Choice } from '../../shared/choice.tsx';
import { column, computedColumn, numberColumn } from '../../shared/columns.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { Form } from '../../shared/form.tsx';
import { decimal, durationText, rateIn, shareText } from '../../shared/format.ts';
import { navigate } from '../../shared/hash.ts';
import { PageHead } from '../../shared/page.tsx';
import { type Units, units } from '../../shared/preferences.ts';
import { RequestPanel } from '../../shared/request-panel.tsx';
import type { Sorting } from '../../shared/sorting.ts';
import { Empty, QueryState } from '../../shared/states.tsx';
import { TextField } from '../../shared/text-field.tsx';
import { type Summary, summaries } from '../api.ts';
import { distanceColumn } from '../distance-column.ts';
import { FocusAreas, namesInFocus, ScoreLink } from '../grade.tsx';
import { driverName } from '../names.ts';
import { hrefOf, MAX_DRIVERS, PERIODS, type Period } from '../route.ts';

type Row = Driver & Summary;
type SummaryNumber = 'night_driving_seconds' | 'duration_seconds' | 'highway_miles' | 'distance_miles';
type EventCount = 'phone_use_count' | 'overspeeding_count' | 'hard_brake_count' | 'rapid_acceleration_count';

function columnsOf(period: Period, date: CalendarDate, chosenUnits: Units): Column<Row>[] {
  const rate = (name: EventCount, title: string): Column<Row> => {
    const per100 = ({ events_summary, distance_miles }: Row) =>
      distance_miles > 0 ? rateIn(chosenUnits, (100 * events_summary[name]) / distance_miles) : null;
    return computedColumn(name.replace('_count', `_per_100_${chosenUnits}`), title, per100, decimal);
  };
  const share = (name: string, title: string, part: SummaryNumber, whole: SummaryNumber): Column<Row> => ({
    name,
    title,
    isNumber: true,
    value: (row) => (row[whole] > 0 ? (100 * row[part]) / row[whole] : null),
    cell: (row) => shareText(row[part], row[whole]),
  });
  return [
    column('driver_id', 'Driver', (driverId, driver) => (
      <a href={hrefOf({ view: 'driver', driverId })}>{driverName(driver)}</a>
    )),
    column('fm_score', 'Score', (_score, row) => (
      <ScoreLink period={period} date={date} driverId={row.driver_id} summary={row} />
    )),
    { ...column('fm_grade', ''), isShown: false },
    numberColumn('trip_count', 'Trips'),
    distanceColumn('distance', 'Distance', chosenUnits, ({ distance_miles }) => distance_miles),
    numberColumn('duration_seconds', 'Time', durationText),
    rate('phone_use_count', 'Phone uses'),
    rate('overspeeding_count', 'Overspeedings'),
    rate('hard_brake_count', 'Hard brakes'),
    rate('rapid_acceleration_count', 'Accelerations'),
    share('night_percent', 'Night', 'night_driving_seconds', 'duration_seconds'),
    share('highway_percent', 'Highway', 'highway_miles', 'distance_miles'),
    {
      name: 'focus_areas',
      title: 'Focus areas',
      value: ({ focus_area }) => namesInFocus({ ...focus_area }).join(' '),
      cell: ({ focus_area }) => <FocusAreas focus={{ ...focus_area }} />,
    },
  ];
}

interface SummaryProps {
  period: Period;
  date: CalendarDate | null;
  driverIds: string[];
}

/** The default day or week: the last complete one. */
function defaultDate(period: Period, yesterday: CalendarDate): CalendarDate {
  return period === 'day' ? yesterday : mondayOf(addDays(yesterday, 1 - DAYS_PER_WEEK));
}

function Chooser({ period, date, driverIds }: SummaryProps & { date: CalendarDate }) {
  const history = useMemo(() => answerableDates(Date.now()), []);
  const [driverId, setDriverId] = useState('');
  const show = (next: Partial<SummaryProps>) => {
    const chosen = { period, date, driverIds, ...next };
    navigate(hrefOf({ view: 'summary', ...chosen }), true);
  };
  return (
    <div class="filters">
      <Choice
        label="Period"
        options={PERIODS}
        chosen={period}
        onChoose={(next) => show({ period: next, date: null })}
      />
      <TextField
        label={period === 'day' ? 'Day' : 'Any day of the week'}
        type="date"
        min={history.earliest}
        max={history.yesterday}
        text={date}
        onChange={(day) => isCalendarDate(day) && show({ date: period === 'day' ? day : mondayOf(day) })}
      />
      <Form
        onSubmit={() => {
          if (driverId !== '') show({ driverIds: [...new Set([...driverIds, driverId])].slice(0, MAX_DRIVERS) });
          setDriverId('');
        }}
      >
        <TextField
          label="Add a driver by id"
          text={driverId}
          onChange={setDriverId}
          disabled={driverIds.length >= MAX_DRIVERS}
        />
        <button type="submit" disabled={driverIds.length >= MAX_DRIVERS}>
          Add
        </button>
      </Form>
      {driverIds.length > 0 && (
        <button type="button" onClick={() => show({ driverIds: [] })}>
          Remove all
        </button>
      )}
    </div>
  );
}

/** The summaries of up to 20 drivers side by side. */
export function SummaryView({ period, date, driverIds }: SummaryProps) {
  const { yesterday } = answerableDates(Date.now());
  const shownDate = date ?? defaultDate(period, yesterday);
  const sorting = useSignal<Sorting | null>(null);
  const request = summaries(period, shownDate, driverIds);
  const hasDrivers = driverIds.length > 0;
  const { data, error } = useQuery({ ...request, enabled: hasDrivers });
  const columns = columnsOf(period, shownDate, units.value);
  const rows = data?.data.map(({ driver_info, driving_summary }) => ({ ...driver_info, ...driving_summary })) ?? [];
  const end = addDays(shownDate, DAYS_PER_WEEK - 1);
  const title = period === 'day' ? dateText(shownDate) : `${dateText(shownDate)} to ${dateText(end)}`;
  return (
    <>
      <PageHead title={`Summaries, ${title}`}>
        <CsvButton name={`summaries-${shownDate}.csv`} columns={columns} rows={rows} />
      </PageHead>
      <Chooser period={period} date={shownDate} driverIds={driverIds} />
      {!hasDrivers && (
        <Empty title="No drivers selected">
          Select up to {MAX_DRIVERS} in the <a href={hrefOf({ view: 'drivers', find: '' })}>list of drivers</a>, or add
          them by id.
        </Empty>
      )}
      {hasDrivers && <QueryState data={data} error={error} what="summaries" />}
      {data && (
        <>
          <p class="quiet">
            Trip events are counted per 100 {units.value}. Select a score to see its explanation. Night is a share of
            the time, and highway is a share of the distance.
            {period === 'week' && end > yesterday && ' The week is not complete: it contains the days up to yesterday.'}
          </p>
          <DataTable caption="Summaries" columns={columns} rows={rows} sorting={sorting} />
        </>
      )}
      {hasDrivers && <RequestPanel requests={[request]} data={[data]} />}
    </>
  );
}
