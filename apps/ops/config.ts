import { type KafkaConfig, readKafkaConfig } from '@milepost/kafka/config';
import {
  address,
  type Environment,
  integer,
  logsRequests,
  optionalText,
  type ProcessSettings,
  processSettings,
  publicUrl,
  readSettings,
  refuse,
} from '@milepost/service';
import type { RetentionOptions } from './worker/retention.ts';
import type { Schedule } from './worker/schedule.ts';

interface OpsConfig extends ProcessSettings {
  host: string;
  port: number;
  /** The operators' token. If undefined, the server answers only health checks and metrics. */
  token: string | undefined;
  requestLog: boolean;
  /** The URL at which clients reach the server; empty when they use the same paths as the server. */
  publicUrl: string;
  maximumLagSeconds: number;
  redisUrl: string | undefined;
  schedule: Schedule;
  tasks: RetentionOptions;
  /** The Kafka settings; undefined if records do not come from Kafka. */
  kafka: KafkaConfig | undefined;
}

/** The trip list goes back six months; this is a few days more. */
const MIN_TRIP_RETENTION_DAYS = 200;

/** The characters that a client can send in a header and that the server can compare. */
const TOKEN = /^[\x21-\x7e]{1,256}$/;

function readToken(environment: Environment): string | undefined {
  const token = optionalText(environment, 'OPS_TOKEN');
  if (token === undefined || TOKEN.test(token)) return token;
  refuse('OPS_TOKEN', 'OPS_TOKEN must be 1 to 256 printable ASCII characters without spaces.');
  return undefined;
}

function readSchedule(environment: Environment): Schedule {
  return {
    audit_interval_minutes: integer(environment, 'AUDIT_INTERVAL_MINUTES', {
      default: 60,
      minimum: 1,
      maximum: 100_000,
    }),
    retention_interval_minutes: 60,
  };
}

function readTasks(environment: Environment): RetentionOptions {
  const days = { default: 0, minimum: 0, maximum: 100_000 };
  const tripRetentionDays = integer(environment, 'TRIP_RETENTION_DAYS', days);
  if (tripRetentionDays > 0 && tripRetentionDays < MIN_TRIP_RETENTION_DAYS) {
    refuse(
      'TRIP_RETENTION_DAYS',
      `TRIP_RETENTION_DAYS must be 0 (keep trips forever) or at least ${MIN_TRIP_RETENTION_DAYS}, but is ${tripRetentionDays}: the trip list goes back six months.`,
    );
  }
  return {
    tripRetentionDays: tripRetentionDays === 0 ? null : tripRetentionDays,
    replacedGenerationDays: integer(environment, 'REPLACED_GENERATION_DAYS', { ...days, default: 7 }),
  };
}

/** The settings of the ops process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): OpsConfig {
  return readSettings(environment, () => ({
    ...processSettings(environment, 'direct'),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port: integer(environment, 'OPS_PORT', { default: 3001, minimum: 0, maximum: 65_535 }),
    token: readToken(environment),
    requestLog: logsRequests(environment),
    publicUrl: publicUrl(environment, 'OPS_PUBLIC_URL'),
    maximumLagSeconds: integer(environment, 'MAXIMUM_LAG_SECONDS', { default: 60, minimum: 1, maximum: 86_400 }),
    schedule: readSchedule(environment),
    tasks: readTasks(environment),
    redisUrl: address(environment, 'REDIS_URL', ['redis', 'rediss']),
    kafka: optionalText(environment, 'KAFKA_BROKERS') === undefined ? undefined : readKafkaConfig(environment),
  }));
}
