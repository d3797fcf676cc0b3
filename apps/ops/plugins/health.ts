import { reportHealth } from '@milepost/http/health';
import { Decimal, nullable, Text, WholeNumber } from '@milepost/operations/schemas';
import { inSnapshot, isTransientError, ROLES } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import type { RolePools } from '@milepost/postgres/lanes/role-pools';
import { type Health, isIngestMissing, MAX_SECONDS_WITHOUT_INGEST, readHealth } from '@milepost/status/log-status';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { dueLanes } from './due-lanes.ts';

const REASONS = [
  'database_unavailable',
  'database_not_migrated',
  'source_fault',
  'read_tables_behind',
  'ingest_missing',
] as const;

/** A readiness check must end within 800 ms, including the time to read the list of lanes. */
const MAX_LANE_MILLISECONDS = 700;

const FIGURES = {
  lane: Type.Optional(WholeNumber('The lane that is not ready; missing when there is only one lane.', 2)),
  lag_seconds: Type.Optional(
    Decimal('With `read_tables_behind`: the age of the oldest stored event that has not been applied yet.', 412),
  ),
  failed_position: Type.Optional(
    nullable(
      WholeNumber(
        'With `read_tables_behind`: the position of the stored event at which a projection has stopped; null if none.',
        4711,
      ),
    ),
  ),
  missing_seconds: Type.Optional(
    nullable(Decimal('With `ingest_missing`: the time since a process last read a source; null if none ever has.', 95)),
  ),
  kafka_error: Type.Optional(
    Text(
      'With `ingest_missing` and `source_fault`: why ingest cannot read from Kafka, if ingest knows the cause.',
      'Topic "milepost.trips" cannot be read: grant the READ permission on it.',
    ),
  ),
  limit_seconds: Type.Optional(WholeNumber('The limit for `lag_seconds` or `missing_seconds`.', 300)),
};

interface ProgressLimits {
  maximumLagSeconds: number;
  /** Whether records come from Kafka, in which case ingest must be running. */
  expectsIngest: boolean;
}

/** Why a lane is not ready, with the relevant values. */
type Fault = { reason: (typeof REASONS)[number] } & Record<string, string | number | null>;

const reasonOf = (error: unknown) => (isTransientError(error) ? 'database_unavailable' : 'database_not_migrated');

/**
 * Returns why a lane is not ready, with the relevant values, or null if it is ready. `GET /status` shows the details.
 */
function faultOf(health: Health, { maximumLagSeconds, expectsIngest }: ProgressLimits): Fault | null {
  const { lag_seconds, missing_seconds, projections, sources, kafka_findings } = health;
  if (lag_seconds > maximumLagSeconds) {
    const [failed_position = null] = projections.flatMap((one) => one.failed_position ?? []).sort((a, b) => a - b);
    return { reason: 'read_tables_behind', lag_seconds, limit_seconds: maximumLagSeconds, failed_position };
  }
  const error = expectsIngest ? kafka_findings.find(({ severity }) => severity === 'error') : undefined;
  const cause: Record<string, string> = error ? { kafka_error: error.message } : {};
  if (expectsIngest && isIngestMissing(health)) {
    return { reason: 'ingest_missing', missing_seconds, limit_seconds: MAX_SECONDS_WITHOUT_INGEST, ...cause };
  }
  return error || sources.some(({ fault }) => fault !== null) ? { reason: 'source_fault', ...cause } : null;
}

/**
 * Declares `/healthz` and `/readyz`. The process is ready while every lane responds, ingest reads its sources, and no
 * stored event has waited too long for the projector.
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
        return { lane, fault: faultOf(await inSnapshot(lane.pool(ROLES.operator), readHealth), limits) };
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
