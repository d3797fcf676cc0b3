import { query, ROLES, statement, text } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from './operation.ts';
import type { Mention } from './refusal.ts';
import { columnsOf, Day, nullable, Time } from './schemas.ts';

/** Why a projection stands still, and what ends it; null when it does not. */
export function failureSentence(
  { failed_position, failure }: { failed_position: number | null; failure: string | null },
  mention: Mention,
): string | null {
  // No stored event is at fault where the read table belongs to another version.
  if (failure === null || failed_position !== null) return failure;
  const replay = mention.operation('replay.start', { projection: 'all', promote: true });
  return `${failure.replace(/\.$/, '')}: ${replay} builds its read table anew, and until then it stands still.`;
}

const Generation = Type.Object(
  {
    generation: Type.Integer({ description: 'Numbers are never used twice.' }),
    version: Type.Integer({ description: "Of the projection's code." }),
    state: Type.Enum(['live', 'building', 'retired'], {
      description:
        '`live`: answers come from it. `building`: a replay works on it, or waits for its promotion. `retired`: it was live, and is kept for a roll back.',
    }),
    checkpoint: Type.Integer({ description: 'The position up to which it has been applied.' }),
    lag_events: Type.Integer({ description: 'Stored events that it does not show yet; retired ones stand still.' }),
    cutoff: nullable(Day),
    created_at: Time,
    retired_at: nullable(Time),
    replay_id: nullable(Type.Integer({ description: 'The replay that works on it, or waits with it.' })),
    failed_position: nullable(Type.Integer()),
    failure: nullable(Type.String({ description: 'Why it stands still, if it does.' })),
  },
  { $id: 'Generation' },
);

const LIST_GENERATIONS = statement('list-generations', { ...columnsOf(Generation), projection: text })`
  SELECT generation.projection, generation.generation, version,
    CASE WHEN live THEN 'live' WHEN retired_at IS NULL THEN 'building' ELSE 'retired' END AS state,
    checkpoint, head.position - checkpoint AS lag_events, cutoff, created_at, retired_at,
    member.replay_id, failed_position, failure
  FROM projection.generation CROSS JOIN log.head
  LEFT JOIN projection.replay_member member
    ON member.projection = generation.projection AND member.generation = generation.generation AND member.active
  WHERE dropped_at IS NULL ORDER BY generation.projection, generation.generation DESC`;

export const listProjections = operation({
  name: 'projections.list',
  path: '/projections',
  summary: 'List projections',
  description: 'Every projection with all generations of its read table that there are; dropped ones are left out.',
  input: Type.Object({}),
  answer: Type.Object({
    projections: Type.Array(
      Type.Object({ name: Type.String(), generations: Type.Array(Generation, { description: 'The newest first.' }) }),
    ),
  }),
  async run({ pool, mention }) {
    const rows = await query(pool(ROLES.operator), LIST_GENERATIONS);
    const projections = [...Map.groupBy(rows, ({ projection }) => projection)].map(([name, generations]) => ({
      name,
      generations: generations.map(({ projection: _, ...each }) => ({
        ...each,
        failure: failureSentence(each, mention),
      })),
    }));
    return { answer: { projections } };
  },
});

export const operations = [listProjections];
