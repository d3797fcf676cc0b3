import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { failureSentence } from '../projections/failure.ts';
import { topicsOf, withEndOffsets } from './end-offsets.ts';
import { readLogStatus } from './log-status.ts';
import { StatusResource } from './resource.ts';

export const showStatus = operation({
  name: 'status',
  method: 'GET',
  path: '/status',
  tag: 'Status',
  summary: 'Show the status',
  description: 'How far the event log, the read tables and the sources have come, as of one moment.',
  input: Type.Object({}),
  answer: StatusResource,
  async run({ pool, askEndOffsets, mention }) {
    const status = await readLogStatus(pool(ROLES.operator));
    const topics = topicsOf(status.sources);
    const ends = askEndOffsets === null || topics.length === 0 ? new Map() : await askEndOffsets(topics);
    const replays = await listOpenReplays(pool(ROLES.operator), PROJECTIONS);
    const projections = status.projections.map((each) => ({ ...each, failure: failureSentence(each, mention) }));
    return { answer: { ...status, projections, sources: withEndOffsets(status.sources, ends), replays } };
  },
});
