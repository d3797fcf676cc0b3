import { resolve } from 'node:path';
import type { LoginPasswords } from '@milepost/postgres/logins';
import {
  databaseUrl,
  type Environment,
  MAX_PORT,
  optionalText,
  readSettings,
  type Settings,
  standbyUrl,
} from '@milepost/service';

/** Reads the database's location: a URL or, if none is set, the embedded server under `home`. Throws SettingError. */
export function databaseSettings(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => ({
    databaseUrl: databaseUrl(settings, 'direct'),
    home: resolve(settings.get('MILEPOST_HOME')),
  }));
}

/** Reads the wanted number of lanes. If undefined, `migrate` keeps the existing number. Throws SettingError. */
export function laneCount(source: Environment | Settings = process.env): number | undefined {
  return readSettings(source, (settings) => settings.get('LANES'));
}

/** Whether records come from Kafka. */
export function hasKafka(environment: Environment = process.env): boolean {
  return optionalText(environment, 'KAFKA_BROKERS') !== undefined;
}

/** Reads the URL of the standbys, if the API reads from standbys instead of the primary. Throws SettingError. */
export function standbyDatabaseUrl(environment: Environment = process.env): string | undefined {
  return readSettings(environment, standbyUrl);
}

/** Reads the Redis server's URL, if the job queue is in Redis rather than in the database. Throws SettingError. */
export function redisUrl(environment: Environment = process.env): string | undefined {
  return readSettings(environment, (settings) => settings.get('REDIS_URL'));
}

/** Whether npm (`npm start`, `npx milepost`) runs this program. npm starts its programs through a shell. */
export function startedByNpm(environment: Environment = process.env): boolean {
  return environment['npm_execpath'] !== undefined;
}

/** Returns the metrics port of each process. Without METRICS_PORT, only the ops process serves metrics. */
function metricsPorts(settings: Settings, kafka: boolean): Partial<Record<ProcessName, number>> {
  const first = fixedPort(settings, 'METRICS_PORT');
  if (first === undefined) return {};
  // Processes on the same machine need different ports.
  if (first + 2 > MAX_PORT) settings.refuse('METRICS_PORT', `METRICS_PORT must be at most ${MAX_PORT - 2}.`);
  return { api: first, projector: first + 1, ...(kafka ? { ingest: first + 2 } : {}) };
}

/** Reads a port. `up` prints the addresses of its processes, so 0 (any free port) is not allowed here. */
function fixedPort<Name extends 'PORT' | 'OPS_PORT' | 'METRICS_PORT'>(settings: Settings, name: Name) {
  const port = settings.get(name);
  if (port === 0) settings.refuse(name, `${name} must be a whole number from 1 to ${MAX_PORT}, but is "0".`);
  return port;
}

/**
 * Reads the settings of `up`. The processes that `up` starts read their own settings.
 *
 * @param readOthers reads the settings of these processes, so that all invalid settings are reported together
 * @throws SettingError
 */
export function upSettings(
  readOthers: (settings: Settings, kafka: boolean) => void,
  source: Environment | Settings = process.env,
) {
  return readSettings(source, (settings) => {
    const kafka = settings.has('KAFKA_BROKERS');
    const port = fixedPort(settings, 'PORT');
    const opsPort = fixedPort(settings, 'OPS_PORT');
    if (port === opsPort) settings.refuse('OPS_PORT', `PORT and OPS_PORT must differ, but both are ${port}.`);
    const ofMetrics = metricsPorts(settings, kafka);
    const taken = Object.values(ofMetrics).find((each) => each === port || each === opsPort);
    if (taken !== undefined) {
      settings.refuse(
        'METRICS_PORT',
        `METRICS_PORT and the two ports after it must differ from PORT and OPS_PORT, but ${taken} does not.`,
      );
    }
    const own = {
      ...databaseSettings(settings),
      host: settings.get('HOST'),
      port,
      opsPort,
      metricsPorts: ofMetrics,
      sampleFleet: settings.get('SAMPLE_FLEET') === 'on',
      lanes: laneCount(settings),
      kafka,
    };
    readOthers(settings, kafka);
    return { ...own, opsToken: settings.get('OPS_TOKEN') };
  });
}

export type UpSettings = ReturnType<typeof upSettings>;

/** A process that `up` starts. */
export type ProcessName = 'api' | 'projector' | 'ops' | 'ingest';

interface ChildOptions {
  name: ProcessName;
  databaseUrl: string;
  opsToken: string;
  /** The port on which it serves its metrics. */
  metricsPort: number | undefined;
}

/**
 * Returns the environment of a process that `up` starts: the environment of `up` with this database. By default, the
 * process logs only warnings and errors, and stops without a shutdown delay. Only the ops process gets the operators'
 * token.
 */
export function childEnvironment(
  { name, databaseUrl, opsToken, metricsPort }: ChildOptions,
  environment: Environment = process.env,
): Environment {
  const { OPS_TOKEN: _, DATABASE_URL_DIRECT: __, METRICS_PORT: ___, ...others } = environment;
  return {
    ...others,
    ...(name === 'ops' ? { OPS_TOKEN: opsToken } : {}),
    ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort) }),
    DATABASE_URL: databaseUrl,
    SHUTDOWN_DELAY_SECONDS: optionalText(environment, 'SHUTDOWN_DELAY_SECONDS') ?? '0',
    LOG_LEVEL: optionalText(environment, 'LOG_LEVEL') ?? 'warn',
  };
}

/** Reads the passwords of the logins that `migrate` creates. Throws SettingError. */
export function loginPasswords(source: Environment | Settings = process.env): LoginPasswords {
  return readSettings(source, (settings) => ({
    api: settings.get('API_PASSWORD'),
    ingest: settings.get('INGEST_PASSWORD'),
    projector: settings.get('PROJECTOR_PASSWORD'),
    ops: settings.get('OPS_PASSWORD'),
  }));
}

/** Reads the token of the operators' API, for commands with --server. */
export function operatorToken(environment: Environment = process.env): string | undefined {
  return optionalText(environment, 'OPS_TOKEN');
}
