import { Day, nullable, Time, TimeText } from '@milepost/domain/schemas';
import {
  boolean,
  columns,
  date,
  json,
  number,
  nullable as orNull,
  type Pool,
  query,
  statement,
  text,
  textOf,
  timestamp,
} from '@milepost/postgres';
import Type, { type Static } from 'typebox';

/** Where a replay is on its way. It waits for the operator in `waiting`; `promoted`, `cancelled` and `dropped` are its ends. */
const PHASES = [
  'filling',
  'indexing',
  'catching_up',
  'verifying',
  'waiting',
  'promoting',
  'cancelling',
  'dropping',
  'promoted',
  'cancelled',
  'dropped',
] as const;
export type Phase = (typeof PHASES)[number];

/** Phases after which nothing comes: the projections are free for the next replay. */
export const ENDED_PHASES: readonly Phase[] = ['promoted', 'cancelled', 'dropped'];
/** Phases in which nothing happens until somebody asks for it. */
export const RESTING_PHASES: readonly Phase[] = ['waiting', ...ENDED_PHASES];

/** Phases as a list in SQL. */
export function inSql(phases: readonly Phase[]): string {
  return `(${phases.map((phase) => `'${phase}'`).join(', ')})`;
}

const MOST_TRIPS_PER_SECOND = 999_999_999;

export const Throttle = Type.Union(
  [Type.Enum(['off', 'auto']), Type.Integer({ minimum: 1, maximum: MOST_TRIPS_PER_SECOND })],
  {
    description: `trips per second (1 to ${MOST_TRIPS_PER_SECOND}), or \`auto\`: as readers and the live projections allow, or \`off\`: as fast as it can.`,
  },
);
export type Throttle = Static<typeof Throttle>;

const ComparedGeneration = Type.Object({ generation: Type.Integer(), version: Type.Integer(), rows: Type.Integer() });

const DifferenceSample = Type.Object({
  day: nullable(Day),
  key: Type.String(),
  // Long values are cut.
  live: nullable(Type.String()),
  replayed: nullable(Type.String()),
});
export type DifferenceSample = Static<typeof DifferenceSample>;

const TableVerification = Type.Object(
  {
    projection: Type.String(),
    live: ComparedGeneration,
    replayed: ComparedGeneration,
    equal: Type.Boolean(),
    expected: Type.Boolean({ description: 'Equal, or of another version, which leads to other rows.' }),
    differences: Type.Integer({ description: 'Keys whose rows differ.' }),
    differing_day_count: Type.Integer(),
    differing_days: Type.Array(
      Type.Object({ day: nullable(Day), live_rows: Type.Integer(), replayed_rows: Type.Integer() }),
      { description: 'The first of them.' },
    ),
    samples: Type.Array(DifferenceSample, { description: 'Some rows that differ; null where a side has no such row.' }),
    changes: nullable(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Of scores: how they change, by how much, and which most.' },
      ),
    ),
  },
  { $id: 'TableVerification' },
);
export type TableVerification = Static<typeof TableVerification>;

/** A verification in short. */
export const VerificationSummary = Type.Object(
  {
    position: Type.Integer({ description: 'The position at which both sides were compared.' }),
    equal: Type.Boolean(),
    expected: Type.Boolean({ description: 'No difference, or none but those that a changed version explains.' }),
    differences: Type.Integer(),
  },
  { $id: 'VerificationSummary', description: 'In short; a single replay has the whole report.' },
);

const Verification = Type.Object(
  {
    ...VerificationSummary.properties,
    compared_at: TimeText,
    // Rows of earlier days were left out, because one side does not keep them.
    cutoff: nullable(Day),
    tables: Type.Array(TableVerification),
  },
  { $id: 'Verification', description: 'The new generations against the live ones. Null until verified.' },
);
export type Verification = Static<typeof Verification>;

/** A replay as operators see it. */
export const ReplayView = Type.Object(
  {
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
    // The head as of its start, and once it is filled, where the live generations are.
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
    throttle: Throttle,
    throttled_by: nullable(Type.String({ description: 'Why an automatic throttle holds back.' })),
    promote: Type.Boolean({ description: 'Promotes itself once verified.' }),
    accept_differences: Type.Boolean(),
    live: Type.Boolean({ description: 'What it built, or brought back, is what readers see.' }),
    can_be_rolled_back: Type.Boolean({
      description: 'What it made live is live still, and what that replaced is kept.',
    }),
    // Rows of earlier days are not kept.
    cutoff: nullable(Day),
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
    verification: nullable(Verification),
  },
  { $id: 'Replay' },
);
export type ReplayView = Static<typeof ReplayView>;

/** A replay as it is stored. `target` is the position whose state the filled generations show; the highest where they differ. */
export type Replay = Omit<
  ReplayView,
  | 'running'
  | 'position'
  | 'trips_per_second'
  | 'remaining_seconds'
  | 'remaining_seconds_range'
  | 'throttled_by'
  | 'live'
  | 'can_be_rolled_back'
  | 'generations'
>;

/** A replay as its row has it, with its throttle as text. */
export const REPLAY = {
  id: number,
  kind: textOf<Replay['kind']>(),
  projection: text,
  phase: textOf<Phase>(),
  halted: orNull(textOf<NonNullable<Replay['halted']>>()),
  error: orNull(text),
  target: number,
  cutoff: orNull(date),
  ...columns(boolean, 'promote', 'accept_differences'),
  throttle: text,
  verification: orNull(json<Verification>()),
  requested_by: text,
  created_at: timestamp,
  finished_at: orNull(timestamp),
};

/** SQL of these columns. */
export const REPLAY_COLUMNS = Object.keys(REPLAY).join(', ').replace('id', 'replay_id AS id');

const FIND_REPLAY = statement('find-replay', REPLAY)`
  SELECT ${REPLAY_COLUMNS} FROM projection.replay WHERE replay_id = $1`;

/** Reads a throttle as it is stored: `off`, `auto` or a number of trips per second. */
export function toThrottle(text: string): Throttle {
  return text === 'off' || text === 'auto' ? text : Number(text);
}

/** One replay; null when there is none with this id. */
export async function findReplay(pool: Pool, id: number): Promise<Replay | null> {
  const [row] = await query(pool, FIND_REPLAY, [id]);
  return row ? { ...row, throttle: toThrottle(row.throttle) } : null;
}

/** What somebody asks for. */
export interface StartRequest {
  /** A projection's name, several separated by commas, or `all`. They are promoted together. */
  projection: string;
  /** Promote once verified, if nothing unexpected was found. */
  promote: boolean;
  acceptDifferences?: boolean;
  throttle: Throttle;
  /** Leave out rows of earlier days (`YYYY-MM-DD`); null: what the live generation leaves out. */
  cutoff?: string | null;
  requestedBy: string;
}
