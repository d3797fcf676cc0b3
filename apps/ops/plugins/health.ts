import { reportHealth } from '@milepost/http';
import { isIngestMissing, MOST_SECONDS_WITHOUT_INGEST, readReadiness } from '@milepost/operations/readiness';
import { nullable } from '@milepost/operations/schemas';
import { execute, isTransientError, type Pool, statement } from '@milepost/postgres';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';

const CHECK_SOURCE_FAULT = statement('check-source-fault')`
  SELECT FROM log.source WHERE fault IS NOT NULL LIMIT 1`;

/** Whether any source stands still, or cannot be read: `GET /status` says which, and why. */
async function sourceFault(pool: Pool): Promise<'source_fault' | null> {
  return (await execute(pool, CHECK_SOURCE_FAULT)) === 0 ? null : 'source_fault';
}

const REASONS = [
  'database_unavailable',
  'database_not_migrated',
  'source_fault',
  'read_tables_behind',
  'ingest_missing',
] as const;

const FIGURES = {
  lag_seconds: Type.Optional(
    Type.Number({
      description: 'With `read_tables_behind`: since the oldest stored event not yet applied was stored.',
    }),
  ),
  failed_position: Type.Optional(
    nullable(Type.Integer({ description: 'With `read_tables_behind`: where a projection stands still, if one does.' })),
  ),
  missing_seconds: Type.Optional(
    nullable(
      Type.Number({ description: 'With `ingest_missing`: since a process held a source; null: none ever did.' }),
    ),
  ),
  limit_seconds: Type.Optional(
    Type.Integer({ description: 'What `lag_seconds` or `missing_seconds` may be at most.' }),
  ),
};

interface ProgressLimits {
  maximumLagSeconds: number;
  /** Whether records come from Kafka, so that ingest has to run. */
  expectsIngest: boolean;
}

/** Declares `/healthz` and `/readyz`: ready is while the database answers, records come in, and they are applied in time. */
export function reportProgress(app: FastifyInstance, pool: Pool, limits: ProgressLimits): void {
  const check = async () => {
    try {
      const { lag_seconds, failed_position, missing_seconds } = await readReadiness(pool);
      if (lag_seconds > limits.maximumLagSeconds) {
        const figures = { lag_seconds, limit_seconds: limits.maximumLagSeconds, failed_position };
        return { reason: 'read_tables_behind', ...figures } as const;
      }
      if (limits.expectsIngest && isIngestMissing(missing_seconds)) {
        return { reason: 'ingest_missing', missing_seconds, limit_seconds: MOST_SECONDS_WITHOUT_INGEST } as const;
      }
      const fault = await sourceFault(pool);
      return fault === null ? null : { reason: fault };
    } catch (error) {
      return isTransientError(error) ? 'database_unavailable' : 'database_not_migrated';
    }
  };
  reportHealth(app, { reasons: REASONS, check, figures: FIGURES });
}
