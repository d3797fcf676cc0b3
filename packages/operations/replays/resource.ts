import { PROJECTIONS } from '@milepost/projections';
import { ALL, PHASES } from '@milepost/replay';
import Type from 'typebox';
import { Day, Id, nextBefore, nullable, Time, TimeText } from '../schemas.ts';

const MOST_TRIPS_PER_SECOND = 999_999_999;

const NAMES = [...PROJECTIONS.map((projection) => projection.name), ALL];
const NAME = `\\s*(?:${NAMES.join('|')})\\s*`;

/** What may be replayed or rolled back together. */
export const ProjectionNames = Type.String({
  pattern: `^${NAME}(?:,${NAME})*$`,
  maxLength: 1_000,
  description: `one of ${NAMES.join(', ')}, or several separated by commas.`,
});

export const ReplayId = Id('The id that the list of replays shows.');

export const ThrottleSetting = Type.Union(
  [Type.Enum(['off', 'auto']), Type.Integer({ minimum: 1, maximum: MOST_TRIPS_PER_SECOND })],
  {
    description: `trips per second (1 to ${MOST_TRIPS_PER_SECOND}), or \`auto\`: as readers and the live projections allow, or \`off\`: as fast as it can.`,
  },
);

const Side = Type.Object({ generation: Type.Integer(), version: Type.Integer(), rows: Type.Integer() });

const TableVerification = Type.Object({
  projection: Type.String(),
  live: Side,
  replayed: Side,
  equal: Type.Boolean(),
  expected: Type.Boolean({ description: 'Equal, or of another version, which leads to other rows.' }),
  differences: Type.Integer({ description: 'Keys whose rows differ.' }),
  differing_day_count: Type.Integer(),
  differing_days: Type.Array(
    Type.Object({ day: nullable(Day), live_rows: Type.Integer(), replayed_rows: Type.Integer() }),
    { description: 'The first of them.' },
  ),
  samples: Type.Array(
    Type.Object({
      day: nullable(Day),
      key: Type.String(),
      live: nullable(Type.String()),
      replayed: nullable(Type.String()),
    }),
    { description: 'Some rows that differ; null where a side has no such row.' },
  ),
  changes: nullable(
    Type.Object(
      {},
      { additionalProperties: true, description: 'Of scores: how they change, by how much, and which most.' },
    ),
  ),
});

const VerificationSummary = {
  position: Type.Integer({ description: 'The position at which both sides were compared.' }),
  equal: Type.Boolean(),
  expected: Type.Boolean({ description: 'No difference, or none but those that a changed version explains.' }),
  differences: Type.Integer(),
};

const Verification = Type.Object(
  {
    ...VerificationSummary,
    compared_at: TimeText,
    horizon: nullable(Day),
    tables: Type.Array(TableVerification),
  },
  { description: 'The new generations against the live ones. Null until verified.' },
);

const common = {
  id: Type.Integer(),
  kind: Type.Enum(['build', 'roll_back']),
  projection: Type.String({
    description: 'As asked for: the name of a projection, several separated by commas, or `all`.',
  }),
  phase: Type.Enum([...PHASES], {
    description: '`waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.',
  }),
  halted: nullable(Type.Enum(['paused', 'failed'], { description: 'Stands still until resumed.' })),
  error: nullable(Type.String({ description: 'What it failed at, or why it was not promoted.' })),
  running: Type.Boolean({ description: 'A worker has it in hand at this moment.' }),
  position: Type.Integer({
    description: 'How far it has come, as a position of the log; while it is filled, the share of the work done.',
  }),
  target: Type.Integer({ description: 'Where it is going.' }),
  trips_per_second: nullable(Type.Number({ description: 'Null while nothing is measured.' })),
  remaining_seconds: nullable(Type.Number()),
  remaining_seconds_range: nullable(
    Type.Unsafe<[number, number]>({
      type: 'array',
      items: { type: 'number' },
      minItems: 2,
      maxItems: 2,
      description: 'From the fastest and the slowest of late.',
    }),
  ),
  throttle: ThrottleSetting,
  throttled_by: nullable(Type.String({ description: 'Why an automatic throttle holds back.' })),
  promote: Type.Boolean({ description: 'Promotes itself once verified.' }),
  accept_differences: Type.Boolean(),
  live: Type.Boolean({ description: 'What it built, or brought back, is what readers see.' }),
  can_be_rolled_back: Type.Boolean({ description: 'What it made live is live still, and what that replaced is kept.' }),
  horizon: nullable(Day),
  generations: Type.Array(
    Type.Object({
      projection: Type.String(),
      generation: Type.Integer(),
      version: Type.Integer(),
      checkpoint: Type.Integer(),
    }),
  ),
  requested_by: Type.String(),
  created_at: Time,
  finished_at: nullable(Time),
};

export const ReplayResource = Type.Object({ ...common, verification: nullable(Verification) });

export const ReplayList = Type.Object({
  replays: Type.Array(
    Type.Object({
      ...common,
      verification: nullable(
        Type.Object(VerificationSummary, { description: 'In short; a single replay has the whole report.' }),
      ),
    }),
  ),
  next_before: nextBefore,
});
