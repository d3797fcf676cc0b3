import { resolve } from 'node:path';
import type { LoginPasswords } from '@milepost/postgres';
import {
  address,
  databaseUrl,
  type Environment,
  integer,
  oneOf,
  optionalText,
  readSettings,
  refuse,
  type SettingName,
  standbyUrl,
} from '@milepost/service';

interface DatabaseSettings {
  /** The database. If undefined, the embedded server under `home`. */
  databaseUrl: string | undefined;
  /** The absolute path of the folder with all files of an embedded Milepost. */
  home: string;
}

export interface UpSettings extends DatabaseSettings {
  host: string;
  port: number;
  opsPort: number;
  /** The ports of the metrics, by process. If empty, only the ops process serves metrics. */
  metricsPorts: Partial<Record<ProcessName, number>>;
  /** The operators' token. If undefined, a token is generated and stored under `home`. */
  opsToken: string | undefined;
  sampleFleet: boolean;
  /** The number of lanes. If undefined, as many as exist. */
  lanes: number | undefined;
  /** Whether records come from Kafka. */
  kafka: boolean;
}

/** Reads the location of the database. Throws SettingError. */
export function databaseSettings(environment: Environment = process.env): DatabaseSettings {
  return readSettings(environment, () => ({
    databaseUrl: databaseUrl(environment, 'direct'),
    home: resolve(optionalText(environment, 'MILEPOST_HOME') ?? '.milepost'),
  }));
}

/** Limits the number of schemas, pools and loops of a process. */
const MAX_LANES = 64;

/** The number of lanes that `migrate` creates. If undefined, as many as exist. Throws SettingError. */
export function laneCount(environment: Environment = process.env): number | undefined {
  if (optionalText(environment, 'LANES') === undefined) return undefined;
  return integer(environment, 'LANES', { default: 1, minimum: 1, maximum: MAX_LANES });
}

/** Whether records come from Kafka. */
export function hasKafka(environment: Environment = process.env): boolean {
  return optionalText(environment, 'KAFKA_BROKERS') !== undefined;
}

/** The URL of the standbys from which the API reads; undefined if it reads from the primary. Throws SettingError. */
export function readsFrom(environment: Environment = process.env): string | undefined {
  return standbyUrl(environment);
}

/** The URL of the Redis server with the job queue; undefined if the queue is in the database. Throws SettingError. */
export function redisUrl(environment: Environment = process.env): string | undefined {
  return address(environment, 'REDIS_URL', ['redis', 'rediss']);
}

/** Whether npm (`npm start`, `npx milepost`) runs this program. npm starts programs through a shell. */
export function startedByNpm(environment: Environment = process.env): boolean {
  return environment['npm_execpath'] !== undefined;
}

const PORTS = { minimum: 1, maximum: 65_535 };

/** Each number is added to METRICS_PORT, because the processes on one machine need different ports. */
const METRICS_PORT_OFFSETS = { api: 0, projector: 1, ingest: 2 } as const;

/** Returns the port of the metrics of each process that `up` starts. */
function metricsPorts(environment: Environment, kafka: boolean): Partial<Record<ProcessName, number>> {
  if (optionalText(environment, 'METRICS_PORT') === undefined) return {};
  const { api, projector, ingest } = METRICS_PORT_OFFSETS;
  const port = integer(environment, 'METRICS_PORT', { default: 1, ...PORTS, maximum: PORTS.maximum - ingest });
  return { api: port + api, projector: port + projector, ...(kafka ? { ingest: port + ingest } : {}) };
}

/**
 * Reads the settings of `up`. Each process that `up` starts reads its own settings.
 *
 * @param readOthers reads the settings of these processes, so that all wrong settings are reported together
 * @throws SettingError
 */
export function upSettings(readOthers: (kafka: boolean) => void, environment: Environment = process.env): UpSettings {
  return readSettings(environment, () => {
    const kafka = hasKafka(environment);
    const port = integer(environment, 'PORT', { default: 3000, ...PORTS });
    const opsPort = integer(environment, 'OPS_PORT', { default: 3001, ...PORTS });
    if (port === opsPort) refuse('OPS_PORT', `PORT and OPS_PORT must differ, but both are ${port}.`);
    const ofMetrics = metricsPorts(environment, kafka);
    const taken = Object.values(ofMetrics).find((each) => each === port || each === opsPort);
    if (taken !== undefined) {
      refuse(
        'METRICS_PORT',
        `METRICS_PORT and the two ports after it must differ from PORT and OPS_PORT, but ${taken} does not.`,
      );
    }
    const settings = {
      ...databaseSettings(environment),
      host: optionalText(environment, 'HOST') ?? '127.0.0.1',
      port,
      opsPort,
      metricsPorts: ofMetrics,
      opsToken: optionalText(environment, 'OPS_TOKEN'),
      sampleFleet: oneOf(environment, 'SAMPLE_FLEET', ['on', 'off'], 'on') === 'on',
      lanes: laneCount(environment),
      kafka,
    };
    readOthers(kafka);
    return settings;
  });
}

/** A process that `up` starts. */
export type ProcessName = 'api' | 'projector' | 'ops' | 'ingest';

interface ChildOptions {
  name: ProcessName;
  databaseUrl: string;
  opsToken: string;
  /** The port of its metrics. */
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

/** The characters that need no escape in a URL. */
const PASSWORD = /^[A-Za-z0-9._~-]+$/;

/** Reads the passwords of the logins that `migrate` creates. Throws SettingError. */
export function loginPasswords(environment: Environment = process.env): LoginPasswords {
  const password = (name: SettingName): string | undefined => {
    const text = optionalText(environment, name);
    if (text !== undefined && !PASSWORD.test(text))
      refuse(name, `${name} must consist of letters, digits and the characters . _ ~ - only.`);
    return text;
  };
  return readSettings(environment, () => ({
    api: password('API_PASSWORD'),
    ingest: password('INGEST_PASSWORD'),
    projector: password('PROJECTOR_PASSWORD'),
    ops: password('OPS_PASSWORD'),
  }));
}

/** Reads the token of the operators' API, for commands with --server. */
export function operatorToken(environment: Environment = process.env): string | undefined {
  return optionalText(environment, 'OPS_TOKEN');
}
