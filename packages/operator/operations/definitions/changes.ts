import Type, { type Static } from 'typebox';
import { Day, Decimal, nullable, Text, WholeNumber } from '../language/schemas.ts';

const score = (whose: string, example: number) =>
  nullable(Decimal(`${whose}, in points; null if there are no trips.`, example));
const grade = (whose: string, example: string) => nullable(Text(`${whose}; null if there are no trips.`, example));

/** A rollup's report on the rows that differ. */
export const Changes = Type.Object(
  {
    kind: Type.Literal('score_changes', { description: 'The report on daily and weekly rollups.' }),
    period: Type.Enum(['day', 'week'], {
      description: "Whether a period is a driver's day or a driver's week. A week includes all of its days with trips.",
      examples: ['day'],
    }),
    compared: WholeNumber('The number of periods that both tables contain.', 931),
    changed: WholeNumber('The number of compared periods whose score or grade differs.', 17),
    changed_dates: WholeNumber('The number of calendar days or weeks with a change.', 9),
    drivers: WholeNumber('The number of drivers with compared periods.', 24),
    changed_drivers: WholeNumber('The number of compared drivers whose scores or grades changed.', 5),
    only_live: WholeNumber('The number of rows found only in the live table.', 0),
    only_replayed: WholeNumber('The number of rows found only in the replayed table.', 0),
    change: nullable(
      Type.Object(
        {
          mean: Decimal('The mean of the changes: new score minus old score.', -0.4),
          median: Decimal('The median of the changes.', -0.3),
          mean_size: Decimal('The mean absolute change.', 0.7),
          p95_size: Decimal('The 95th percentile of the absolute change.', 2.1),
          largest_size: Decimal('The largest absolute change.', 4.5),
        },
        { description: 'Statistics on the changed scores, in points; null when no score has changed.' },
      ),
    ),
    distribution: Type.Array(
      Type.Object({
        direction: Type.Enum(['fall', 'rise'], {
          description: 'Whether the score falls or rises.',
          examples: ['fall'],
        }),
        at_least: Decimal('The lower limit of the size (inclusive, except when it is 0).', 1),
        below: nullable(Decimal('The upper limit of the size (exclusive); null if there is none.', 2)),
        count: WholeNumber('The number of periods in this range.', 3),
      }),
      { description: 'The distribution of the changed scores by direction and size, in points.' },
    ),
    grade_transitions: Type.Array(
      Type.Object({
        from: grade('The old grade', 'good'),
        to: grade('The new grade', 'fair'),
        count: WholeNumber('The number of periods with this change.', 3),
      }),
      { description: 'Each grade change, with the number of periods in which it occurs.' },
    ),
    largest: Type.Array(
      Type.Object({
        fleet_id: Text('The fleet.', 'sunrise-delivery'),
        driver_id: Text('The driver.', 'driver-00001'),
        date: Day,
        old_score: score('The old score', 84.5),
        new_score: score('The new score', 80),
        old_grade: grade('The old grade', 'good'),
        new_grade: grade('The new grade', 'fair'),
      }),
      { description: 'The 20 largest changes. `date` is the day, or the Monday of the week.' },
    ),
  },
  { $id: 'ScoreChanges', description: 'The scores and grades that differ between the two tables.' },
);
export type Changes = Static<typeof Changes>;
