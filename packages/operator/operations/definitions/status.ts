import { columns, inSnapshot, ROLES, statement, type Transaction } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import { topicsOf, withEndOffsets } from '@milepost/status/end-offsets';
import { isIngestMissing, readHealth } from '@milepost/status/log-status';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { columnsOf } from '../language/schemas.ts';
import { toResource } from './replays.ts';
import { StatusResource, WarningCount } from './status-schemas.ts';
import { MAX_WARNINGS, sumOfLanes } from './status-sums.ts';

/** A status request times out after five seconds, and Kafka needs some of that time. */
const MAX_LANE_MILLISECONDS = 3_000;

const READ_COUNTS = statement('status-counts', columns('number', 'dead_letters', 'set_aside', 'files_ended'))`
  SELECT (SELECT count(*) FROM dead_letter WHERE resolution IS NULL) AS dead_letters,
    (SELECT count(*) FROM set_aside) AS set_aside,
    (SELECT count(*) FROM log_source WHERE ended_at IS NOT NULL) AS files_ended`;

const READ_WARNINGS = statement('status-warnings', columnsOf(WarningCount))`
  SELECT topic, reason, field, sum(records) AS records FROM source_warning JOIN log_source USING (source_id)
  GROUP BY topic, reason, field ORDER BY max(source_id) DESC, records DESC, reason, field LIMIT $1`;

async function readStatus(transaction: Transaction) {
  const health = await readHealth(transaction);
  const counts = await transaction.row(READ_COUNTS);
  const warnings = await transaction.rows(READ_WARNINGS, [MAX_WARNINGS]);
  return { ...health, ...counts, warnings };
}

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
