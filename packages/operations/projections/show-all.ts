import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { Day, nullable, Time } from '../schemas.ts';
import { listProjections } from './list.ts';

const Generation = Type.Object({
  generation: Type.Integer({ description: 'Numbers are never used twice.' }),
  version: Type.Integer({ description: "Of the projection's code." }),
  state: Type.Enum(['live', 'building', 'retired'], {
    description:
      '`live`: answers come from it. `building`: a replay works on it, or waits for its promotion. `retired`: it was live, and is kept for a roll back.',
  }),
  checkpoint: Type.Integer({ description: 'The position up to which it has been applied.' }),
  lag_events: Type.Integer({ description: 'Stored events that it does not show yet; retired ones stand still.' }),
  horizon: nullable(Day),
  created_at: Time,
  retired_at: nullable(Time),
  replay_id: nullable(Type.Integer({ description: 'The replay that works on it, or waits with it.' })),
  failed_position: nullable(Type.Integer()),
  failure: nullable(Type.String({ description: 'Why it stands still, if it does.' })),
});

export const showProjections = operation({
  name: 'projections.list',
  method: 'GET',
  path: '/projections',
  tag: 'Projections',
  summary: 'List projections',
  description: 'Every projection with all generations of its read table that there are; dropped ones are left out.',
  input: Type.Object({}),
  answer: Type.Object({
    projections: Type.Array(
      Type.Object({ name: Type.String(), generations: Type.Array(Generation, { description: 'The newest first.' }) }),
    ),
  }),
  async run({ pool }) {
    return { answer: { projections: await listProjections(pool(ROLES.operator)) } };
  },
});
