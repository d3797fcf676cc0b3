import { addDays, type CalendarDate, DAYS_PER_WEEK } from '@milepost/domain/calendar';
import { useQuery } from '@tanstack/preact-query';
import { dateText } from '../../shared/calendar-text.ts';
import { numberColumn } from '../../shared/columns.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, decimal, distanceText, durationText, timesText } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { units } from '../../shared/preferences.ts';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, QueryState } from '../../shared/states.tsx';
import { type Summary, summaries } from '../api.ts';
import { FocusAreas, Score } from '../grade.tsx';
import { driverName } from '../names.ts';
import { hrefOf, type Period } from '../route.ts';
import { type Explanation, explain, type Loss } from './explain.ts';

/** The values that a behaviour's sub-score depends on. */
function evidence(area: Loss['area'], summary: Summary): string {
  const { events_summary: events } = summary;
  switch (area) {
    case 'phone':
      return timesText(events.phone_use_count, events.phone_use_time_seconds);
    case 'speed':
      return timesText(events.overspeeding_count, events.overspeeding_time_seconds);
    case 'brake':
      return timesText(events.hard_brake_count);
    case 'acceleration':
      return timesText(events.rapid_acceleration_count);
    case 'night':
      return durationText(summary.night_driving_seconds);
  }
}

function Bar({ loss }: { loss: Loss }) {
  return (
    <svg class="loss" viewBox="0 0 35 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="max" width={loss.weight} height="4" />
      <rect class="lost" width={loss.points_lost} height="4" />
    </svg>
  );
}

function columnsOf(summary: Summary): Column<Loss>[] {
  return [
    { name: 'behaviour', title: 'Behaviour', value: ({ title }) => title },
    { name: 'evidence', title: 'Driving', value: ({ area }) => evidence(area, summary) },
    numberColumn('sub_score', 'Sub-score', decimal),
    numberColumn('weight', 'Max. points'),
    numberColumn('points_lost', 'Points lost', (points) => decimal(points, 2)),
    { name: 'bar', title: 'Share of the maximum', value: () => null, cell: (loss) => <Bar loss={loss} /> },
  ];
}

function Sum({ explanation, score }: { explanation: Explanation; score: number }) {
  const { losses, rounding } = explanation;
  return (
    <p class="sum">
      100
      {losses.map(({ area, points_lost }) => (
        <span key={area}> − {decimal(points_lost, 2)}</span>
      ))}
      {rounding !== 0 && (
        <span>
          {' '}
          {rounding > 0 ? '+' : '−'} {decimal(Math.abs(rounding), 2)} <span class="quiet">(rounding)</span>
        </span>
      )}{' '}
      = <b>{decimal(score)}</b>
    </p>
  );
}

function Explained({ summary }: { summary: Summary }) {
  const explanation = explain(summary);
  if (explanation === null || summary.fm_score === null) {
    return <Empty title="No score">There are no trips to score.</Empty>;
  }
  const columns = columnsOf(summary);
  return (
    <>
      <p class="headline">
        <Score score={summary.fm_score} grade={summary.fm_grade} />
        <span class="quiet">
          {countText(summary.trip_count, 'trip')}, {distanceText(units.value, summary.distance_miles)},{' '}
          {durationText(summary.duration_seconds)}
        </span>
      </p>
      <p>
        Focus areas: <FocusAreas focus={{ ...summary.focus_area }} />
      </p>
      {!explanation.isSame && (
        <p role="alert">
          The formula on this page gives a different score, because the service uses a different version. Reload the
          page.
        </p>
      )}
      <div class="under">
        <h2>Points lost</h2>
        <CsvButton
          name="points-lost.csv"
          columns={columns.filter(({ name }) => name !== 'bar')}
          rows={explanation.losses}
        />
      </div>
      <DataTable caption="Points lost by behaviour" columns={columns} rows={explanation.losses} />
      <Sum explanation={explanation} score={summary.fm_score} />
      <p class="quiet">
        Each behaviour has a sub-score from 0 to 100. It depends on how often events of this kind occur per distance
        driven, and on their share of the driving time. A short drive changes a score less than a long one. A behaviour
        with a sub-score of 40 loses 60% of its maximum points.
      </p>
    </>
  );
}

/** Explains a score by the points lost to each behaviour. */
export function ScoreView({ period, date, driverId }: { period: Period; date: CalendarDate; driverId: string }) {
  const request = summaries(period, date, [driverId]);
  const { data, error } = useQuery(request);
  const found = data?.data[0];
  const when =
    period === 'day' ? dateText(date) : `the week ${dateText(date)} to ${dateText(addDays(date, DAYS_PER_WEEK - 1))}`;
  return (
    <>
      <PageHead title="Why this score">
        <a class="button" href={hrefOf({ view: 'summary', period, date, driverIds: [driverId] })}>
          Summary
        </a>
        <a class="button" href={hrefOf({ view: 'driver', driverId })}>
          Driver
        </a>
      </PageHead>
      <p>
        <b>{found ? driverName(found.driver_info) : driverId}</b>, {when}
      </p>
      <QueryState data={found} error={error} what="the summary" />
      {found && <Explained summary={found.driving_summary} />}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
