import { reportHealth } from '@milepost/http';
import { nullable } from '@milepost/operations/schemas';
import { readReadiness } from '@milepost/operations/status';
import { isPassingFault, type Pool } from '@milepost/postgres';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sourceFault } from './source-fault.ts';

const REASONS = [
  'database_unavailable',
  'database_not_migrated',
  'source_fault',
  'read_tables_behind',
  'ingest_missing',
] as const;

/** Ingest says every few seconds that it holds its sources. */
const MOST_SECONDS_WITHOUT_INGEST = 60;

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

export interface ProgressLimits {
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
      const isMissing = missing_seconds === null || missing_seconds > MOST_SECONDS_WITHOUT_INGEST;
      if (limits.expectsIngest && isMissing) {
        return { reason: 'ingest_missing', missing_seconds, limit_seconds: MOST_SECONDS_WITHOUT_INGEST } as const;
      }
      const fault = await sourceFault(pool);
      return fault === null ? null : { reason: fault };
    } catch (error) {
      return isPassingFault(error) ? 'database_unavailable' : 'database_not_migrated';
    }
  };
  reportHealth(app, { reasons: REASONS, check, figures: FIGURES });
}
