import type { SettingName } from '@milepost/service';

const DATABASE = ['DATABASE_URL', 'MILEPOST_HOME'] as const;
const PROCESS = [...DATABASE, 'LOG_LEVEL'] as const;
const KAFKA = [
  'KAFKA_BROKERS',
  'KAFKA_TRIPS_TOPIC',
  'KAFKA_DRIVERS_TOPIC',
  'KAFKA_GROUP_ID',
  'KAFKA_SESSION_TIMEOUT_MILLISECONDS',
  'KAFKA_SSL',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SASL_PASSWORD',
] as const;
const API = [
  ...PROCESS,
  'HOST',
  'PORT',
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
  'OPS_TOKEN',
  'REDIS_URL',
  'REQUEST_LOG',
  'MAXIMUM_LAG_SECONDS',
  'AUDIT_INTERVAL_MINUTES',
  'TRIP_RETENTION_DAYS',
  'REPLACED_GENERATION_DAYS',
  ...KAFKA,
] as const;

/** What the commands read that are no operators' actions. */
export const SETTINGS_OF = {
  up: [...new Set([...API, ...OPS, 'SAMPLE_FLEET'] as const)],
  migrate: [...DATABASE, 'API_PASSWORD', 'INGEST_PASSWORD', 'PROJECTOR_PASSWORD', 'OPS_PASSWORD'],
  api: API,
  projector: PROCESS,
  ops: OPS,
  ingest: [...PROCESS, ...KAFKA],
  archive: DATABASE,
  simulate: KAFKA,
} as const satisfies Record<string, readonly SettingName[]>;

/** What operators' actions read beside the database's address, by the room. */
const SETTINGS_OF_ROOMS: Readonly<Record<string, readonly SettingName[]>> = {
  status: KAFKA,
  replay: ['REDIS_URL'],
  retention: ['REDIS_URL'],
};

/** The help on the settings that a command reads. */
export function settingsHelp(names: readonly SettingName[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 100) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(`  ${name}`);
  }
  return `\nSettings, which docs/settings.md explains:\n${lines.join(',\n')}`;
}

/** The help on the settings that an operators' action reads. */
export function operationSettingsHelp(room: string): string {
  return `${settingsHelp([...DATABASE, ...(SETTINGS_OF_ROOMS[room] ?? [])])}; with --server: OPS_TOKEN`;
}
