import { inSnapshot, ROLES } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import { topicsOf, withEndOffsets } from '@milepost/status/end-offsets';
import { isIngestMissing, readStatus } from '@milepost/status/log-status';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { toResource } from './replays.ts';
import { StatusResource } from './status-schemas.ts';
import { sumOfLanes } from './status-sums.ts';

/** A status request times out after five seconds, and Kafka needs some of that time. */
const MAX_LANE_MILLISECONDS = 3_000;

async function readLane({ number: lane, schema: name, pool }: LaneAccess) {
  const operator = pool(ROLES.operator);
  const { lag_seconds: _, missing_seconds, ...status } = await inSnapshot(operator, readStatus);
  const replays = await listOpenReplays(operator, PROJECTIONS);
  const ingest: 'missing' | 'running' = isIngestMissing({ missing_seconds }) ? 'missing' : 'running';
  return { lane, name, ...status, ingest, replays: replays.map((view) => toResource(view, lane)) };
}

export const showStatus = operation({
  name: 'status',
  path: '/status',
  summary: 'Show the status',
  description:
    'The progress of the event log, the read tables and the sources. The figures for each lane are read in one snapshot. Without a lane, the response covers all lanes.',
  input: Type.Object({}),
  answer: StatusResource,
  async run({ lanes, askEndOffsets }) {
    const { results, failures } = await inEachLane(await lanes(), MAX_LANE_MILLISECONDS, readLane);
    if (results.length === 0) throw failures[0]?.error;
    const topics = topicsOf(results.flatMap(({ sources }) => sources));
    const ends = askEndOffsets === null || topics.length === 0 ? new Map() : await askEndOffsets(topics);
    const figures = results.map(({ sources, ingest, ...status }) => ({
      ...status,
      sources: withEndOffsets(sources, ends),
      ingest: askEndOffsets === null ? null : ingest,
    }));
    const unavailable_lanes = failures.map(({ lane }) => lane.number);
    return { answer: { ...sumOfLanes(figures), lanes: figures, unavailable_lanes } };
  },
});

export const operations = [showStatus];
