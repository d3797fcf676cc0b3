import type { SettingName } from '@milepost/service';

const DATABASE = ['DATABASE_URL', 'DATABASE_URL_DIRECT', 'MILEPOST_HOME'] as const;
const PROCESS = [
  ...DATABASE,
  'LOG_LEVEL',
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
] as const;
const METRICS = ['HOST', 'METRICS_PORT'] as const;
const KAFKA = [
  'KAFKA_BROKERS',
  'KAFKA_TRIPS_TOPIC',
  'KAFKA_DRIVERS_TOPIC',
  'KAFKA_GROUP_ID',
  'KAFKA_SESSION_TIMEOUT_MILLISECONDS',
  'KAFKA_SSL',
  'KAFKA_SSL_CA_FILE',
  'KAFKA_SSL_CERT_FILE',
  'KAFKA_SSL_KEY_FILE',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_ID',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET',
  'KAFKA_SASL_OAUTHBEARER_SCOPE',
  'KAFKA_SASL_OAUTHBEARER_EXTENSIONS',
] as const;
const API = [
  ...PROCESS,
  ...METRICS,
  'DATABASE_URL_READ',
  'PORT',
  'PUBLIC_URL',
  'CORS_ORIGINS',
  'REDIS_URL',
  'MAP_TILES_ADDRESS',
  'MAP_TILES_ATTRIBUTION',
  'RATE_LIMIT_PER_MINUTE',
  'REQUEST_LOG',
  'REQUIRE_CONTENT_TYPE',
  'SHUTDOWN_DELAY_SECONDS',
] as const;
const OPS = [
  ...PROCESS,
  'HOST',
  'OPS_PORT',
  'OPS_PUBLIC_URL',
  'OPS_TOKEN',
  'REDIS_URL',
  'REQUEST_LOG',
  'MAXIMUM_LAG_SECONDS',
  'AUDIT_INTERVAL_MINUTES',
  'TRIP_RETENTION_DAYS',
  'REPLACED_GENERATION_DAYS',
  ...KAFKA,
] as const;

/** The settings of the commands that are not operations. */
export const SETTINGS_OF = {
  up: [...new Set([...API, ...OPS, 'LANES', 'SAMPLE_FLEET'] as const)],
  migrate: [...DATABASE, 'LANES', 'API_PASSWORD', 'INGEST_PASSWORD', 'PROJECTOR_PASSWORD', 'OPS_PASSWORD'],
  api: API,
  projector: [...PROCESS, ...METRICS],
  ops: OPS,
  ingest: [...PROCESS, ...METRICS, ...KAFKA],
  archive: DATABASE,
  export: DATABASE,
  doctor: [...DATABASE, 'DATABASE_URL_READ', ...KAFKA, 'REDIS_URL'],
  simulate: KAFKA,
} as const satisfies Record<string, readonly SettingName[]>;

/** The settings that operations read in addition to those of the database, by group. */
const SETTINGS_OF_GROUPS: Readonly<Record<string, readonly SettingName[]>> = {
  status: KAFKA,
  replay: ['REDIS_URL'],
  retention: ['REDIS_URL'],
};

/** Returns the help on the settings that a command reads. */
export function settingsHelp(names: readonly SettingName[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 100) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(`  ${name}`);
  }
  return `\nSettings (see docs/settings.md):\n${lines.join(',\n')}`;
}

/** Returns the help on the settings that an operation reads. */
export function operationSettingsHelp(group: string): string {
  return `${settingsHelp([...DATABASE, ...(SETTINGS_OF_GROUPS[group] ?? [])])}; with --server: OPS_TOKEN`;
}
