import { query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { columnsOf, Day, Moment, Named, nullable, OneOf, Text, WholeNumber } from '../language/schemas.ts';

const Generation = Named('Generation', {
  generation: WholeNumber('The number of the generation; numbers are never reused.', 2),
  version: WholeNumber("The version of the projection's code.", 2),
  state: OneOf(
    ['live', 'building', 'retired'],
    '`live`: responses come from it. `building`: a replay is building it, or is waiting to be promoted. `retired`: it was live, and is kept for a rollback.',
  ),
  checkpoint: WholeNumber('The last position that has been applied to the rows.', 6226),
  lag_events: WholeNumber(
    'The number of stored events that the generation does not reflect yet. Retired generations do not catch up.',
    0,
  ),
  cutoff: nullable(Day),
  created_at: Moment("The time of the generation's creation."),
  retired_at: nullable(Moment('The time at which another generation replaced this one; null if none has.')),
  replay_id: nullable(WholeNumber('The id of the replay that is building it, or that is waiting to be promoted.', 7)),
  failed_position: nullable(
    WholeNumber('The position of the stored event at which the projection has stopped; null otherwise.', 4711),
  ),
  failure: nullable(Text('Why the projection stopped; null otherwise.', 'The read table has a different version.')),
});

const LIST_GENERATIONS = statement('list-generations', { ...columnsOf(Generation), projection: 'text' })`
  SELECT generation.projection, generation.generation, version,
    CASE WHEN live THEN 'live' WHEN retired_at IS NULL THEN 'building' ELSE 'retired' END AS state,
    checkpoint, head.position - checkpoint AS lag_events, cutoff, created_at, retired_at,
    member.replay_id, failed_position, failure
  FROM generation CROSS JOIN log_head head
  LEFT JOIN replay_member member
    ON member.projection = generation.projection AND member.generation = generation.generation AND member.active
  WHERE dropped_at IS NULL ORDER BY generation.projection, generation.generation DESC`;

export const listProjections = operation({
  name: 'projections.list',
  path: '/projections',
  summary: 'List projections',
  description: 'Every projection with all existing generations of its read table.',
  input: Type.Object({}),
  answer: Type.Object({
    projections: Type.Array(
      Type.Object({
        name: Text('The name of the projection.', 'trips'),
        generations: Type.Array(Generation, { description: 'The generations, newest first.' }),
      }),
      { description: 'The projections, by name.' },
    ),
  }),
  async run({ pool }) {
    const rows = await query(pool(ROLES.operator), LIST_GENERATIONS);
    const projections = [...Map.groupBy(rows, ({ projection }) => projection)].map(([name, generations]) => ({
      name,
      generations: generations.map(({ projection: _, ...each }) => each),
    }));
    return { answer: { projections } };
  },
});

export const operations = [listProjections];
