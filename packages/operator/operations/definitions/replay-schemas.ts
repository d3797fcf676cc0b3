import { PARTS_OF_TRIPS, READ_TABLES } from '@milepost/projections/read-tables';
import { ALL, PHASES } from '@milepost/replay';
import Type from 'typebox';
import {
  Action,
  Day,
  Decimal,
  Id,
  Moment,
  MomentText,
  Named,
  nullable,
  OneOf,
  Text,
  WholeNumber,
  YesNo,
} from '../language/schemas.ts';

const NAMES = [...READ_TABLES, ALL];
const NAME = `\\s*(?:${NAMES.join('|')})\\s*`;

/** The projections covered by one replay or rollback. */
export const ProjectionNames = Type.String({
  pattern: `^${NAME}(?:,${NAME})*$`,
  maxLength: 1_000,
  description: `one of ${NAMES.join(', ')}, or several separated by commas; trips now includes ${PARTS_OF_TRIPS.join(' and ')}.`,
});

export const ReplayId = Id('An id from the list of replays.');

const MAX_TRIPS_PER_SECOND = 999_999_999;

export const Throttle = Type.Union(
  [Type.Enum(['off', 'auto']), Type.Integer({ minimum: 1, maximum: MAX_TRIPS_PER_SECOND })],
  {
    description: `a number of trips per second (1 to ${MAX_TRIPS_PER_SECOND}), \`auto\` (as fast as readers and the live projections allow) or \`off\` (no limit).`,
    examples: ['auto'],
  },
);

const comparedGeneration = (description: string) =>
  Type.Object(
    {
      generation: WholeNumber('The number of the generation.', 2),
      version: WholeNumber("The version of the projection's code.", 2),
      rows: WholeNumber('The number of rows in the generation.', 931),
    },
    { description },
  );

const score = (whose: string, example: number) =>
  nullable(Decimal(`${whose}, in points; null if there are no trips.`, example));
const grade = (whose: string, example: string) => nullable(Text(`${whose}; null if there are no trips.`, example));

/** A rollup's report on the rows that differ. */
export const Changes = Named(
  'ScoreChanges',
  {
    kind: Type.Literal('score_changes', { description: 'The report on daily and weekly rollups.' }),
    period: OneOf(
      ['day', 'week'],
      "Whether a period is a driver's day or a driver's week. A week includes all of its days with trips.",
    ),
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
        direction: OneOf(['fall', 'rise'], 'Whether the score falls or rises.'),
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
  { description: 'The scores and grades that differ between the two tables.' },
);

const DifferenceSample = Type.Object({
  day: nullable(Day),
  key: Text('The key of the row: fleet and trip, or fleet and driver.', 'sunrise-delivery driver-00001'),
  live: nullable(Text('The row that readers see now; long values are truncated.', '{"score":84.5}')),
  replayed: nullable(Text('The row as it would be after the promotion; long values are truncated.', '{"score":84.6}')),
});

const TableVerification = Named('TableVerification', {
  projection: Text('The name of the projection.', 'trips'),
  live: comparedGeneration('The generation that readers see.'),
  replayed: comparedGeneration('The generation built by the replay.'),
  equal: YesNo('Whether both generations contain the same rows.'),
  expected: YesNo(
    'Whether the result is expected: the generations are equal, or they may differ because their versions differ.',
  ),
  differences: WholeNumber('The number of keys whose rows differ.', 0),
  differing_day_count: WholeNumber('The number of days on which rows differ.', 0),
  differing_days: Type.Array(
    Type.Object({
      day: nullable(Day),
      live_rows: WholeNumber('The number of rows in the live generation.', 40),
      replayed_rows: WholeNumber('The number of rows in the replayed generation.', 40),
    }),
    { description: 'The first days on which rows differ.' },
  ),
  samples: Type.Array(DifferenceSample, {
    description: 'Some of the rows that differ; null where a generation does not contain the row.',
  }),
  changes: Type.Union([Changes, Type.Null()], {
    description:
      'The changes that a new version causes for drivers; null when nothing changes or the projection does not describe changes.',
  }),
});

/** The summary of a verification. */
const VerificationSummary = Named(
  'VerificationSummary',
  {
    position: WholeNumber('The position at which the generations were compared.', 4711),
    equal: YesNo('Whether the new generations equal the live ones.'),
    expected: YesNo('Whether there are no differences, or only differences explained by a version change.'),
    differences: WholeNumber('The number of rows that differ.', 0),
  },
  { description: 'A summary. `GET /replays/{id}` returns the full report.' },
);

const Verification = Named(
  'Verification',
  {
    ...VerificationSummary.properties,
    compared_at: MomentText('The time of the comparison.'),
    // Rows for earlier days are not compared, because one generation does not keep them.
    cutoff: nullable(Day),
    tables: Type.Array(TableVerification, { description: 'The comparison of each read table.' }),
  },
  { description: 'The comparison of the new generations with the live ones. Null before the verification.' },
);

export const ReplayResource = Named('Replay', {
  id: WholeNumber('The id of the replay, which is unique in its lane.', 12),
  lane: WholeNumber('The lane of the replay.', 0),
  kind: OneOf(
    ['build', 'roll_back'],
    '`build`: the replay builds generations. `roll_back`: the replay restores earlier generations.',
  ),
  projection: Text('As requested: the name of a projection, several separated by commas, or `all`.', 'trips'),
  phase: OneOf(
    [...PHASES],
    'In `waiting`, the replay is waiting for an operator to promote or drop it. A replay ends in `promoted`, `cancelled` or `dropped`.',
  ),
  halted: nullable(
    OneOf(['paused', 'failed'], 'Why the replay is halted until an operator resumes it; null while it is not halted.'),
  ),
  error: nullable(
    Text('The cause of a failure, or the reason for not promoting the replay.', 'The connection was lost'),
  ),
  running: YesNo('Whether a worker is currently running the replay.'),
  position: WholeNumber(
    'The progress, as a position in the log. While the tables are being filled, this is `target` multiplied by the completed fraction of the work.',
    4711,
  ),
  target: WholeNumber(
    'The position of the live generations: during filling, their position at the start; afterwards, their current position.',
    6226,
  ),
  trips_per_second: nullable(Decimal('The current rate; null until a rate has been measured.', 2500)),
  remaining_seconds: nullable(
    Decimal('The estimated number of seconds until the replay ends; null until a rate has been measured.', 12.5),
  ),
  remaining_seconds_range: nullable(
    Type.Unsafe<[number, number]>({
      type: 'array',
      items: { type: 'number' },
      minItems: 2,
      maxItems: 2,
      description: 'The same estimate at the fastest and at the slowest recent rate.',
    }),
  ),
  throttle: Throttle,
  throttled_by: nullable(
    Text('Why an automatic throttle limits the rate; null otherwise.', 'responses take longer than usual'),
  ),
  promote: YesNo('Whether the replay is promoted automatically after the verification.'),
  accept_differences: YesNo(
    'Whether the replay may be promoted when rows differ and no version change explains the difference.',
  ),
  live: YesNo('Whether readers see the generations that the replay built or restored.'),
  can_be_rolled_back: YesNo(
    'Whether the generations promoted by the replay are still live and the replaced generations still exist.',
  ),
  // Rows for earlier days are not kept.
  cutoff: nullable(Day),
  generations: Type.Array(
    Type.Object({
      projection: Text('The name of the projection.', 'trips'),
      generation: WholeNumber('The number of the generation.', 2),
      version: WholeNumber("The version of the projection's code.", 2),
      checkpoint: WholeNumber('The last position that has been applied to the rows.', 6226),
    }),
    { description: 'The generations that the replay builds or restores, one for each read table.' },
  ),
  requested_by: Text('The operator who requested the replay.', 'ops-token'),
  created_at: Moment('The time of the request.'),
  finished_at: nullable(Moment('The time at which the replay ended; null if it has not ended.')),
  verification: nullable(Verification),
  next: Type.Array(Action, { description: 'The suggested next operations, most likely first.' }),
});

const { verification: _, ...listedFields } = ReplayResource.properties;

/** A replay with the summary of its verification. */
export const ListedReplay = Type.Object({ ...listedFields, verification: nullable(VerificationSummary) });
