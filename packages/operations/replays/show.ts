import Type from 'typebox';
import { operation } from '../operation.ts';
import { ReplayId, ReplayResource } from './resource.ts';
import { viewOf } from './view.ts';

export const showOne = operation({
  name: 'replay.show',
  method: 'GET',
  path: '/replays/:id',
  tag: 'Replays',
  summary: 'Show a replay',
  description: 'How it stands, and the whole report of its verification.',
  input: Type.Object({ id: ReplayId }),
  answer: ReplayResource,
  refusals: ['replay_not_found'],
  async run(context, { id }) {
    return { answer: await viewOf(context, id) };
  },
});
