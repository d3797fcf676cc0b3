import { ROLES } from '@milepost/postgres';
import { listReplays, type ReplayView } from '@milepost/replay';
import { PROJECTIONS } from '@milepost/projections';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { ReplayList } from './resource.ts';

const DEFAULT_LIMIT = 20;

function inShort(view: ReplayView) {
  if (view.verification === null) return { ...view, verification: null };
  const { position, equal, expected, differences } = view.verification;
  return { ...view, verification: { position, equal, expected, differences } };
}

export const list = operation({
  name: 'replay.list',
  method: 'GET',
  path: '/replays',
  tag: 'Replays',
  summary: 'List replays',
  description: 'The newest replays, newest first, with the results of their verifications in short.',
  input: Type.Object({
    whole: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true or false: whether verifications are shown with their reports.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: DEFAULT_LIMIT, description: 'a whole number from 1 to 200.' }),
    ),
  }),
  answer: ReplayList,
  async run({ pool }, { limit = DEFAULT_LIMIT, whole = false }) {
    const views = await listReplays(pool(ROLES.operator), PROJECTIONS, limit);
    return { answer: { replays: whole ? views : views.map(inShort) } };
  },
});
