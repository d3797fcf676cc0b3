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
  nextBefore,
  nullable,
  Text,
  WholeNumber,
  YesNo,
} from '../language/schemas.ts';
import { Changes } from './changes.ts';

const NAMES = [...READ_TABLES, ALL];
const NAME = `\\s*(?:${NAMES.join('|')})\\s*`;

/** The projections that one replay or rollback covers. */
export const ProjectionNames = Type.String({
  pattern: `^${NAME}(?:,${NAME})*$`,
  maxLength: 1_000,
  description: `one of ${NAMES.join(', ')}, or several separated by commas; trips now includes ${PARTS_OF_TRIPS.join(' and ')}.`,
});

export const ReplayId = Id('The id that the list of replays shows.');

const MAX_TRIPS_PER_SECOND = 999_999_999;

export const Throttle = Type.Union(
  [Type.Enum(['off', 'auto']), Type.Integer({ minimum: 1, maximum: MAX_TRIPS_PER_SECOND })],
  {
    description: `trips per second (1 to ${MAX_TRIPS_PER_SECOND}), or \`auto\`: as fast as readers and the live projections allow, or \`off\`: without a limit.`,
    examples: ['auto'],
  },
);

const comparedGeneration = (description: string) =>
  Type.Object(
    {
      generation: WholeNumber('The number of the generation.', 2),
      version: WholeNumber("The version of the projection's code.", 2),
      rows: WholeNumber('The number of its rows.', 931),
    },
    { description },
  );

const DifferenceSample = Type.Object({
  day: nullable(Day),
  key: Text('The key of the row: fleet and trip, or fleet and driver.', 'sunrise-delivery driver-00001'),
  live: nullable(Text('The row that readers see now; long values are truncated.', '{"score":84.5}')),
  replayed: nullable(Text('The row that readers would see; long values are truncated.', '{"score":84.6}')),
});

const TableVerification = Type.Object(
  {
    projection: Text('The name of the projection.', 'trips'),
    live: comparedGeneration('The generation that readers see.'),
    replayed: comparedGeneration('The generation that the replay built.'),
    equal: YesNo('Whether both generations have the same rows.'),
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
      description: 'Some of the rows that differ; null where a generation has no such row.',
    }),
    changes: Type.Union([Changes, Type.Null()], {
      description:
        'The changes for drivers that a new version causes; null when nothing changes, or the projection does not describe changes.',
    }),
  },
  { $id: 'TableVerification' },
);

/** The summary of a verification. */
const VerificationSummary = Type.Object(
  {
    position: WholeNumber('The position at which the generations were compared.', 4711),
    equal: YesNo('Whether the new generations equal the live ones.'),
    expected: YesNo('Whether there is no difference, or only differences that a version change explains.'),
    differences: WholeNumber('The number of rows that differ.', 0),
  },
  { $id: 'VerificationSummary', description: 'A summary. `GET /replays/{id}` has the whole report.' },
);

const Verification = Type.Object(
  {
    ...VerificationSummary.properties,
    compared_at: MomentText('The time of the comparison.'),
    // Rows of earlier days are not compared, because one generation does not keep them.
    cutoff: nullable(Day),
    tables: Type.Array(TableVerification, { description: 'The comparison of each read table.' }),
  },
  {
    $id: 'Verification',
    description: 'The comparison of the new generations with the live ones. Null before the verification.',
  },
);

export const ReplayResource = Type.Object(
  {
    id: WholeNumber('The id of the replay, which is unique in its lane.', 12),
    lane: WholeNumber('The lane that has the replay.', 0),
    kind: Type.Enum(['build', 'roll_back'], {
      description: '`build`: the replay builds generations. `roll_back`: the replay restores earlier generations.',
      examples: ['build'],
    }),
    projection: Text('As requested: the name of a projection, several separated by commas, or `all`.', 'trips'),
    phase: Type.Enum([...PHASES], {
      description:
        'In `waiting`, the replay waits for an operator to promote or drop it. It ends in `promoted`, `cancelled` or `dropped`.',
      examples: [PHASES[0]],
    }),
    halted: nullable(
      Type.Enum(['paused', 'failed'], {
        description: 'The reason why the replay is halted until an operator resumes it; null while it is not halted.',
        examples: ['paused'],
      }),
    ),
    error: nullable(
      Text('The cause of a failure, or the reason why the replay was not promoted.', 'The connection was lost'),
    ),
    running: YesNo('Whether a worker runs it at this moment.'),
    position: WholeNumber(
      'The progress as a position of the log. During filling, it is `target` multiplied by the finished share of the work.',
      4711,
    ),
    target: WholeNumber(
      'The last position at the start of the replay; after filling, the position of the live generations.',
      6226,
    ),
    trips_per_second: nullable(Decimal('The current rate; null while no rate is measured.', 2500)),
    remaining_seconds: nullable(Decimal('The estimated seconds until its end; null while no rate is measured.', 12.5)),
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
      Text('The reason why an automatic throttle limits the rate; null otherwise.', 'answers take longer than usual'),
    ),
    promote: YesNo('Whether the replay is promoted automatically after the verification.'),
    accept_differences: YesNo(
      'Whether the replay may be promoted when rows differ and no version change explains the difference.',
    ),
    live: YesNo('Whether readers see the generations that it built or restored.'),
    can_be_rolled_back: YesNo(
      'Whether the generations that it promoted are still live and those that it replaced still exist.',
    ),
    // Rows of earlier days are not kept.
    cutoff: nullable(Day),
    generations: Type.Array(
      Type.Object({
        projection: Text('The name of the projection.', 'trips'),
        generation: WholeNumber('The number of the generation.', 2),
        version: WholeNumber("The version of the projection's code.", 2),
        checkpoint: WholeNumber('The last position that has been applied to the rows.', 6226),
      }),
      { description: 'The generations that it builds or restores, one for each read table.' },
    ),
    requested_by: Text('The operator who requested it.', 'ops-token'),
    created_at: Moment('The time of the request.'),
    finished_at: nullable(Moment('The time of its end; null until then.')),
    verification: nullable(Verification),
    next: Type.Array(Action, { description: 'The operations that are useful next, the most likely one first.' }),
  },
  { $id: 'Replay' },
);

const { verification: _, ...listedFields } = ReplayResource.properties;

export const ReplayList = Type.Object({
  replays: Type.Array(Type.Object({ ...listedFields, verification: nullable(VerificationSummary) }), {
    description: 'The replays, newest first.',
  }),
  next_before: nextBefore,
});
