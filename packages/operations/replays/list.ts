import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listReplays, type ReplayView } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { pageInputs, pageOf } from '../schemas.ts';
import { ReplayList } from './resource.ts';

const USUAL = 20;

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
  input: Type.Object(pageInputs(200, USUAL)),
  answer: ReplayList,
  async run({ pool }, { limit = USUAL, before }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await listReplays(pool(ROLES.operator), PROJECTIONS, most, before);
    });
    return { answer: { replays: entries.map(inShort), next_before } };
  },
});
