import { readKafkaConfig } from '@milepost/kafka/config';
import { type Environment, processSettings, readSettings, type Settings } from '@milepost/service';
import type { RetentionOptions } from './worker/retention.ts';

/** This is a few days more than the six months that the trip list goes back. */
const MIN_TRIP_RETENTION_DAYS = 200;

function readRetention(settings: Settings): RetentionOptions {
  const days = settings.get('TRIP_RETENTION_DAYS');
  if (days > 0 && days < MIN_TRIP_RETENTION_DAYS) {
    settings.refuse(
      'TRIP_RETENTION_DAYS',
      `TRIP_RETENTION_DAYS must be 0 (keep trips forever) or at least ${MIN_TRIP_RETENTION_DAYS}, but is ${days}: the trip list goes back six months.`,
    );
  }
  return {
    tripRetentionDays: days === 0 ? null : days,
    replacedGenerationDays: settings.get('REPLACED_GENERATION_DAYS'),
  };
}

/**
 * Reads the settings of the ops process. Without a token, the server serves only health checks and metrics. `kafka` is
 * undefined if records do not come from Kafka. Throws SettingError.
 */
export function readConfig(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => ({
    ...processSettings(settings, 'direct'),
    host: settings.get('HOST'),
    port: settings.get('OPS_PORT'),
    token: settings.get('OPS_TOKEN'),
    requestLog: settings.get('REQUEST_LOG') === 'on',
    publicUrl: settings.get('OPS_PUBLIC_URL'),
    maximumLagSeconds: settings.get('MAXIMUM_LAG_SECONDS'),
    auditIntervalMinutes: settings.get('AUDIT_INTERVAL_MINUTES'),
    retention: readRetention(settings),
    redisUrl: settings.get('REDIS_URL'),
    kafka: settings.has('KAFKA_BROKERS') ? readKafkaConfig(settings) : undefined,
  }));
}
