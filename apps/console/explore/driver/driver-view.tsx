import type { WeeklySummary } from '@milepost/client';
import { answerableDates } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { useMemo } from 'preact/hooks';
import { dateText } from '../../shared/calendar-text.ts';
import { column, numberColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText } from '../../shared/format.ts';
import { OnDemand } from '../../shared/on-demand.tsx';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { ScoreLink } from '../grade.tsx';
import { driverName } from '../names.ts';
import { hrefOf } from '../route.ts';
import { Calendar, GradeLegend } from './calendar.tsx';
import { useHistory } from './history.ts';
import { PeriodPicker } from './period-picker.tsx';
import { Trips } from './trips.tsx';

/** The length of the default period in days, including today. */
const DEFAULT_DAYS = 28;

function weekColumns(driverId: string): Column<WeeklySummary>[] {
  return [
    column('start_date', 'Week of', dateText),
    column('fm_score', 'Score', (_score, week) => (
      <ScoreLink period="week" date={week.start_date} driverId={driverId} summary={week} />
    )),
    numberColumn('trip_count', 'Trips'),
  ];
}

function Weeks({ driverId, weeks }: { driverId: string; weeks: WeeklySummary[] }) {
  return (
    <section>
      <h2>Score by week</h2>
      <OnDemand
        role="img"
        label="Chart of the score by week, with a coloured band for each grade. The table below lists the scores."
        className="chart"
        version={JSON.stringify(weeks.map(({ start_date, fm_score }) => [start_date, fm_score]))}
        load={async () => {
          const { drawScores } = await import('./score-chart.ts');
          return (element) => drawScores(element, weeks);
        }}
      />
      <details>
        <summary>Scores as a table</summary>
        <DataTable caption="Scores by week" columns={weekColumns(driverId)} rows={weeks} />
      </details>
    </section>
  );
}

interface DriverViewProps {
  driverId: string;
  from?: CalendarDate | null;
  through?: CalendarDate | null;
}

/** A driver: the days and weeks in the last six months, and the trips in a period. */
export function DriverView({ driverId, from, through }: DriverViewProps) {
  const history = useMemo(() => answerableDates(Date.now()), []);
  const { driver, days, weeks, requests, data, failure, isComplete } = useHistory(driverId, history);
  const last = through ?? history.today;
  const defaultFirst = addDays(last, 1 - DEFAULT_DAYS);
  const first = from ?? (defaultFirst < history.earliest ? history.earliest : defaultFirst);
  const firstTravelDate =
    driver?.first_travel_date && isCalendarDate(driver.first_travel_date) ? driver.first_travel_date : null;
  const hasNoTrips = driver !== null && firstTravelDate === null;
  const lastWeek = weeks.findLast(({ fm_score }) => fm_score !== null);
  if (failure?.kind === 'not_found') {
    return (
      <>
        <PageHead title={driverId} />
        <FailureView failure={failure} />
      </>
    );
  }
  return (
    <>
      <PageHead title={driver ? driverName(driver) : driverId}>
        {lastWeek && (
          <a class="button" href={hrefOf({ view: 'summary', period: 'week', date: null, driverIds: [driverId] })}>
            Weekly summary
          </a>
        )}
      </PageHead>
      <p class="quiet facts">
        <span>
          Id <code>{driverId}</code>
        </span>
        {driver?.alias && <span>Alias {driver.alias}</span>}
        {driver?.email && <span>{driver.email}</span>}
        {driver?.first_travel_date && <span>First drive {dateText(driver.first_travel_date)}</span>}
        {driver?.last_travel_date && <span>Last drive {dateText(driver.last_travel_date)}</span>}
      </p>
      {failure && <FailureView failure={failure} />}
      <section>
        <h2>Driven days</h2>
        {!driver && !failure && <Loading what="days" />}
        {hasNoTrips && <p class="quiet">The driver has no trips yet.</p>}
        {driver && firstTravelDate !== null && (
          <>
            <Calendar driverId={driverId} history={history} days={days} firstTravelDate={firstTravelDate} />
            <div class="under">
              <GradeLegend />
              <p class="quiet" role="status">
                {isComplete ? `${countText(days.size, 'day')} driven in six months` : 'Loading days …'}
              </p>
            </div>
          </>
        )}
      </section>
      {firstTravelDate !== null && isComplete && <Weeks driverId={driverId} weeks={weeks} />}
      {driver && !isComplete && !failure && <Loading what="weeks" />}
      {!hasNoTrips && (
        <section>
          <h2>Trips</h2>
          <PeriodPicker driverId={driverId} history={history} from={first} through={last} />
          <Trips key={`${first} ${last}`} driverId={driverId} from={first} through={last} />
        </section>
      )}
      <RequestPanel requests={requests} data={data} />
    </>
  );
}
