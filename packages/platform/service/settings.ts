import { primary, standby } from './database-url.ts';
import { LOG_LEVELS } from './log.ts';
import {
  integer,
  origins,
  publicUrl,
  type Setting,
  saslExtensions,
  saslMechanism,
  setting,
  text,
  tileUrl,
  token,
  tokenEndpoint,
  url,
  urlPassword,
  word,
} from './setting-kinds.ts';

export const MAX_PORT = 65_535;
/** Port 0 stands for any free port. */
const port = integer(0, MAX_PORT);
const otlpProtocol = word('http/protobuf', 'http/json');

const DATABASE = {
  DATABASE_URL: setting(primary),
  DATABASE_URL_DIRECT: setting(primary),
  MILEPOST_HOME: setting(text, '.milepost'),
};
/** The settings of every long-running process. The settings for OpenTelemetry have the same names in all programs. */
const PROCESS = {
  ...DATABASE,
  LOG_LEVEL: setting(word(...LOG_LEVELS), 'info'),
  OTEL_SDK_DISABLED: setting(word('true', 'false'), 'false'),
  OTEL_TRACES_EXPORTER: setting(word('otlp', 'none')),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url('http', 'https')),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(url('http', 'https')),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(otlpProtocol, 'http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: setting(otlpProtocol),
  OTEL_TRACES_SAMPLER: setting(
    word(
      ...(['always_on', 'always_off', 'traceidratio'] as const),
      ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
    ),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(text, '1'),
};
const HOST = { HOST: setting(text, '127.0.0.1') };
const METRICS = { ...HOST, METRICS_PORT: setting(port) };
const STANDBYS = { DATABASE_URL_READ: setting(standby) };
const REDIS = { REDIS_URL: setting(url('redis', 'rediss')) };
const REQUEST_LOG = { REQUEST_LOG: setting(word('on', 'off'), 'on') };
/** The maximum keeps a process from having too many schemas, pools and loops. */
const LANES = { LANES: setting(integer(1, 64)) };
const KAFKA = {
  KAFKA_BROKERS: setting(text, ''),
  KAFKA_TRIPS_TOPIC: setting(text, 'milepost.trips'),
  KAFKA_DRIVERS_TOPIC: setting(text, 'milepost.drivers'),
  KAFKA_GROUP_ID: setting(text, 'milepost'),
  KAFKA_SESSION_TIMEOUT_MILLISECONDS: setting(integer(1_000, 1_800_000), 30_000),
  KAFKA_SSL: setting(word('true', 'false'), 'false'),
  KAFKA_SSL_CA_FILE: setting(text),
  KAFKA_SSL_CERT_FILE: setting(text),
  KAFKA_SSL_KEY_FILE: setting(text),
  KAFKA_SASL_MECHANISM: setting(saslMechanism, 'plain'),
  KAFKA_SASL_USERNAME: setting(text, ''),
  KAFKA_SASL_PASSWORD: setting(text, ''),
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: setting(tokenEndpoint, ''),
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: setting(text, ''),
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: setting(text, ''),
  KAFKA_SASL_OAUTHBEARER_SCOPE: setting(text),
  KAFKA_SASL_OAUTHBEARER_EXTENSIONS: setting(saslExtensions),
};
const API = {
  ...PROCESS,
  ...METRICS,
  ...STANDBYS,
  PORT: setting(port, 3000),
  PUBLIC_URL: setting(publicUrl, ''),
  CORS_ORIGINS: setting(origins, []),
  ...REDIS,
  MAP_TILES_ADDRESS: setting(tileUrl),
  MAP_TILES_ATTRIBUTION: setting(text, ''),
  RATE_LIMIT_PER_MINUTE: setting(integer(1, 1_000_000_000), 5_000),
  ...REQUEST_LOG,
  REQUIRE_CONTENT_TYPE: setting(word('true', 'false'), 'true'),
  // The process exits after 25 s, so this maximum leaves 10 s for the last responses.
  SHUTDOWN_DELAY_SECONDS: setting(integer(0, 15), 5),
};
const OPS = {
  ...PROCESS,
  ...HOST,
  OPS_PORT: setting(port, 3001),
  OPS_PUBLIC_URL: setting(publicUrl, ''),
  OPS_TOKEN: setting(token),
  ...REDIS,
  ...REQUEST_LOG,
  MAXIMUM_LAG_SECONDS: setting(integer(1, 86_400), 60),
  AUDIT_INTERVAL_MINUTES: setting(integer(1, 100_000), 60),
  TRIP_RETENTION_DAYS: setting(integer(0, 100_000), 0),
  REPLACED_GENERATION_DAYS: setting(integer(0, 100_000), 7),
  ...KAFKA,
};
const UP = { ...API, ...OPS, ...LANES, SAMPLE_FLEET: setting(word('on', 'off'), 'on') };
const PASSWORDS = {
  API_PASSWORD: setting(urlPassword),
  INGEST_PASSWORD: setting(urlPassword),
  PROJECTOR_PASSWORD: setting(urlPassword),
  OPS_PASSWORD: setting(urlPassword),
};

/** The settings of all processes and commands. */
export const SETTINGS = { ...UP, ...PASSWORDS };

export type SettingName = keyof typeof SETTINGS;

/** The values of all settings, by name. */
export type Values = { [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never };

/**
 * The settings that may be suggested for a similar unknown name. The other names are too common, or belong to
 * OpenTelemetry, which defines many similar names.
 */
export const SUGGESTED = Object.keys(UP)
  .filter((name) => !name.startsWith('OTEL_'))
  .sort();

/** Groups of settings that belong together, and the settings of each process. */
export const SETTING_GROUPS = {
  ...{ database: DATABASE, kafka: KAFKA, lanes: LANES, metrics: METRICS, passwords: PASSWORDS },
  ...{ redis: REDIS, standbys: STANDBYS, processes: PROCESS, api: API, ops: OPS, up: UP },
};
