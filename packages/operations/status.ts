import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import Type from 'typebox';
import { topicsOf, withEndOffsets } from './end-offsets.ts';
import { readLogStatus } from './log-status.ts';
import { operation } from './operation.ts';
import { failureSentence } from './projections.ts';
import { isIngestMissing, readReadiness } from './readiness.ts';
import { StatusResource } from './status-schemas.ts';

export const showStatus = operation({
  name: 'status',
  path: '/status',
  summary: 'Show the status',
  description: 'How far the event log, the read tables and the sources have come, as of one moment.',
  input: Type.Object({}),
  answer: StatusResource,
  async run({ pool, askEndOffsets, mention }) {
    const status = await readLogStatus(pool(ROLES.operator));
    const topics = topicsOf(status.sources);
    const ends = askEndOffsets === null || topics.length === 0 ? new Map() : await askEndOffsets(topics);
    const replays = await listOpenReplays(pool(ROLES.operator), PROJECTIONS);
    const { missing_seconds } = await readReadiness(pool(ROLES.operator));
    const ingest: 'missing' | 'running' = isIngestMissing(missing_seconds) ? 'missing' : 'running';
    const { head_position, dead_letters, warnings, files_ended } = status;
    const projections = status.projections.map((each) => ({ ...each, failure: failureSentence(each, mention) }));
    return {
      answer: {
        head_position,
        projections,
        dead_letters,
        sources: withEndOffsets(status.sources, ends),
        ingest: askEndOffsets === null ? null : ingest,
        files_ended,
        warnings,
        replays,
      },
    };
  },
});

export const operations = [showStatus];
