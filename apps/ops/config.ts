import { type KafkaConfig, readKafkaConfig } from '@milepost/ingest/config';
import {
  address,
  type Environment,
  integer,
  logsRequests,
  optionalText,
  type ProcessSettings,
  processSettings,
  readSettings,
  refuse,
} from '@milepost/service';
import type { RetentionOptions } from './worker/retention.ts';
import type { Schedule } from './worker/schedule.ts';

interface OpsConfig extends ProcessSettings {
  host: string;
  port: number;
  /** Undefined: nobody may ask for anything but health and metrics. */
  token: string | undefined;
  requestLog: boolean;
  maximumLagSeconds: number;
  redisUrl: string | undefined;
  schedule: Schedule;
  tasks: RetentionOptions;
  /** Undefined: records do not come from Kafka. */
  kafka: KafkaConfig | undefined;
}

/** Six months, and some days in which nobody is surprised. */
const LEAST_TRIP_RETENTION_DAYS = 200;

/** What a client can send in a header, and this server compare. */
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
  if (tripRetentionDays > 0 && tripRetentionDays < LEAST_TRIP_RETENTION_DAYS) {
    refuse(
      'TRIP_RETENTION_DAYS',
      `TRIP_RETENTION_DAYS must be 0 (for ever) or at least ${LEAST_TRIP_RETENTION_DAYS}, and is ${tripRetentionDays}: the trip list goes back six months.`,
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
    ...processSettings(environment),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port: integer(environment, 'OPS_PORT', { default: 3001, minimum: 0, maximum: 65_535 }),
    token: readToken(environment),
    requestLog: logsRequests(environment),
    maximumLagSeconds: integer(environment, 'MAXIMUM_LAG_SECONDS', { default: 60, minimum: 1, maximum: 86_400 }),
    schedule: readSchedule(environment),
    tasks: readTasks(environment),
    redisUrl: address(environment, 'REDIS_URL', ['redis', 'rediss']),
    kafka: optionalText(environment, 'KAFKA_BROKERS') === undefined ? undefined : readKafkaConfig(environment),
  }));
}
