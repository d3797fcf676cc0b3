import { reportHealth } from '@milepost/http';
import { nullable } from '@milepost/operations/schemas';
import { execute, isTransientError, type Pool, query, ROLES, statement, text } from '@milepost/postgres';
import { inEachLane, type RolePools } from '@milepost/postgres/lanes';
import { isIngestMissing, MAX_SECONDS_WITHOUT_INGEST, readReadiness } from '@milepost/status/readiness';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { dueLanes } from './due-lanes.ts';

const CHECK_SOURCE_FAULT = statement('check-source-fault')`
  SELECT FROM log_source WHERE fault IS NOT NULL LIMIT 1`;

/** Returns `source_fault` if a source is stopped or cannot be read. `GET /status` shows the source and the reason. */
async function sourceFault(pool: Pool): Promise<'source_fault' | null> {
  return (await execute(pool, CHECK_SOURCE_FAULT)) === 0 ? null : 'source_fault';
}

const READ_KAFKA_ERROR = statement('readiness-kafka-error', { message: text })`
  SELECT message FROM kafka_finding WHERE NOT is_warning ORDER BY topic, code LIMIT 1`;

/** Why ingest cannot read Kafka, or one topic; null when nothing was found. */
async function kafkaError(pool: Pool): Promise<string | null> {
  const [error] = await query(pool, READ_KAFKA_ERROR);
  return error?.message ?? null;
}

const REASONS = [
  'database_unavailable',
  'database_not_migrated',
  'source_fault',
  'read_tables_behind',
  'ingest_missing',
] as const;

/** A check of readiness must end within 800 ms, and reads the list of lanes first. */
const MAX_LANE_MILLISECONDS = 700;

const FIGURES = {
  lane: Type.Optional(
    Type.Integer({ description: 'The lane that is not ready; missing when there is one lane.', examples: [2] }),
  ),
  lag_seconds: Type.Optional(
    Type.Number({
      description: 'With `read_tables_behind`: the age of the oldest stored event that has not been applied yet.',
      examples: [412],
    }),
  ),
  failed_position: Type.Optional(
    nullable(
      Type.Integer({
        description:
          'With `read_tables_behind`: the position of the stored event at which a projection is stopped; null when none is.',
        examples: [4711],
      }),
    ),
  ),
  missing_seconds: Type.Optional(
    nullable(
      Type.Number({
        description:
          'With `ingest_missing`: the time since a process last read a source; null when no process ever did.',
        examples: [95],
      }),
    ),
  ),
  kafka_error: Type.Optional(
    Type.String({
      description: 'With `ingest_missing` and `source_fault`: why ingest cannot read Kafka, if it found the cause.',
      examples: ['The topic "milepost.trips" cannot be read: grant the permission READ on it.'],
    }),
  ),
  limit_seconds: Type.Optional(
    Type.Integer({ description: 'The maximum of `lag_seconds` or `missing_seconds`.', examples: [300] }),
  ),
};

interface ProgressLimits {
  maximumLagSeconds: number;
  /** Whether records come from Kafka, so that ingest has to run. */
  expectsIngest: boolean;
}

/** Why a lane is not ready, with figures. */
type Fault = { reason: (typeof REASONS)[number] } & Record<string, string | number | null>;

const reasonOf = (error: unknown) => (isTransientError(error) ? 'database_unavailable' : 'database_not_migrated');

/** Returns why a lane is not ready, with figures; null when it is. */
async function checkLane(pool: Pool, { maximumLagSeconds, expectsIngest }: ProgressLimits): Promise<Fault | null> {
  const { lag_seconds, failed_position, missing_seconds } = await readReadiness(pool);
  if (lag_seconds > maximumLagSeconds) {
    const figures = { lag_seconds, limit_seconds: maximumLagSeconds, failed_position };
    return { reason: 'read_tables_behind', ...figures } as const;
  }
  const kafka_error = expectsIngest ? await kafkaError(pool) : null;
  const cause = kafka_error === null ? {} : { kafka_error };
  if (expectsIngest && isIngestMissing(missing_seconds)) {
    const figures = { missing_seconds, limit_seconds: MAX_SECONDS_WITHOUT_INGEST };
    return { reason: 'ingest_missing', ...figures, ...cause } as const;
  }
  const reason = kafka_error === null ? await sourceFault(pool) : 'source_fault';
  return reason === null ? null : { reason, ...cause };
}

/**
 * Declares `/healthz` and `/readyz`. The process is ready while every lane answers, ingest reads its sources, and the
 * projector applies stored events in time.
 */
export function reportProgress(app: FastifyInstance, pools: RolePools, limits: ProgressLimits): void {
  /** The lanes that were not ready at their last check. */
  const unready = new Map<number, Fault>();
  let turn = 0;
  const check = async () => {
    try {
      const lanes = await pools.list();
      const due = dueLanes(lanes, new Set(unready.keys()), turn);
      turn += 1;
      const { results, failures } = await inEachLane(due, MAX_LANE_MILLISECONDS, async (lane) => {
        return { lane, fault: await checkLane(lane.pool(ROLES.operator), limits) };
      });
      for (const { lane, error } of failures) unready.set(lane.number, { reason: reasonOf(error) });
      for (const { lane, fault } of results) {
        if (fault === null) unready.delete(lane.number);
        else unready.set(lane.number, fault);
      }
      const [first] = unready;
      if (first === undefined) return null;
      const [lane, fault] = first;
      return lanes.length === 1 ? fault : { ...fault, lane };
    } catch (error) {
      return reasonOf(error);
    }
  };
  reportHealth(app, { reasons: REASONS, check, figures: FIGURES });
}
