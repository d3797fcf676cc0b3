import { dateText } from '../../shared/calendar-text.ts';
import { column, computedColumn, numberColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, decimal, shareText, signedText } from '../../shared/format.ts';
import type { Schemas } from '../api.ts';
import { integerColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { bucketText, integerText } from '../text.ts';

type ScoreChanges = Schemas['ScoreChanges'];
type Changed = ScoreChanges['largest'][number];
type Transition = ScoreChanges['grade_transitions'][number];

function Distribution({ buckets }: { buckets: ScoreChanges['distribution'] }) {
  const max = Math.max(1, ...buckets.map(({ count }) => count));
  return (
    <table class="distribution">
      <caption>Changed scores by the size of the change, in points</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Points</th>
          <th scope="col">Share</th>
          <th scope="col">Scores</th>
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucketText(bucket)}>
            <th scope="row">{bucketText(bucket)}</th>
            <td>
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class={bucket.direction} width={(100 * bucket.count) / max} height="4" />
              </svg>
            </td>
            <td class="number">{integerText(bucket.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TRANSITIONS: Column<Transition>[] = [
  { name: 'from', title: 'Old grade', value: ({ from }) => from ?? 'none' },
  { name: 'to', title: 'New grade', value: ({ to }) => to ?? 'none' },
  integerColumn('count', 'Scores'),
];

const LARGEST: Column<Changed>[] = [
  column('driver_id', 'Driver', (driverId, { fleet_id: fleetId, date }) => (
    <a href={hrefOf({ view: 'driver-day', fleetId, driverId, date })}>{driverId}</a>
  )),
  column('fleet_id', 'Fleet'),
  column('date', 'Date', dateText),
  numberColumn('old_score', 'Old score', decimal),
  numberColumn('new_score', 'New score', decimal),
  computedColumn(
    'change',
    'Change',
    ({ old_score, new_score }) => (old_score === null || new_score === null ? null : new_score - old_score),
    signedText,
  ),
  {
    name: 'grades',
    title: 'Grade',
    value: ({ old_grade, new_grade }) => `${old_grade ?? 'none'} → ${new_grade ?? 'none'}`,
  },
];

/** How a new version of the score affects drivers. */
export function WhatIf({ changes }: { changes: ScoreChanges }) {
  const { period, compared, changed, drivers, changed_drivers, change, distribution, grade_transitions, largest } =
    changes;
  return (
    <section class="what-if">
      <h3>Changes for drivers</h3>
      <p>
        {integerText(changed)} of {countText(compared, `scored ${period}`)} change ({shareText(changed, compared)}).
        They belong to {integerText(changed_drivers)} of {countText(drivers, 'driver')}.
        {change &&
          ` The mean change is ${signedText(change.mean)} points, the median ${signedText(change.median)}, and the largest ${decimal(change.largest_size)}.`}
      </p>
      <div class="side-by-side">
        <Distribution buckets={distribution} />
        {grade_transitions.length > 0 && (
          <DataTable
            caption={`Grades that change, by ${period}`}
            columns={TRANSITIONS}
            rows={grade_transitions}
            keyOf={({ from, to }) => `${from} ${to}`}
          />
        )}
      </div>
      {largest.length > 0 && (
        <DataTable
          caption={`Drivers whose score changes most in a ${period}`}
          columns={LARGEST}
          rows={largest}
          keyOf={({ fleet_id, driver_id, date }) => `${fleet_id} ${driver_id} ${date}`}
        />
      )}
    </section>
  );
}
