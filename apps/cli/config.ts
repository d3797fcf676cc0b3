import { resolve } from 'node:path';
import type { LoginPasswords } from '@milepost/postgres';
import {
  address,
  type Environment,
  integer,
  oneOf,
  optionalText,
  readSettings,
  refuse,
  type SettingName,
} from '@milepost/service';

interface DatabaseSettings {
  /** Undefined: the embedded server under `home`. */
  databaseUrl: string | undefined;
  /** Absolute path of the folder where everything of an embedded Milepost lives. */
  home: string;
}

export interface UpSettings extends DatabaseSettings {
  host: string;
  port: number;
  opsPort: number;
  /** Undefined: one is made and kept under `home`. */
  opsToken: string | undefined;
  sampleFleet: boolean;
  /** Records come from Kafka. */
  kafka: boolean;
}

/** Where the database is. Throws SettingError. */
export function databaseSettings(environment: Environment = process.env): DatabaseSettings {
  return readSettings(environment, () => ({
    databaseUrl: address(environment, 'DATABASE_URL', ['postgres', 'postgresql']),
    home: resolve(optionalText(environment, 'MILEPOST_HOME') ?? '.milepost'),
  }));
}

/** Whether records come from Kafka. */
export function hasKafka(environment: Environment = process.env): boolean {
  return optionalText(environment, 'KAFKA_BROKERS') !== undefined;
}

/** The Redis through which jobs are announced; undefined: the database does. Throws SettingError. */
export function redisUrl(environment: Environment = process.env): string | undefined {
  return address(environment, 'REDIS_URL', ['redis', 'rediss']);
}

/** Whether npm (`npm start`, `npx milepost`) runs this program, which it does through a shell. */
export function startedByNpm(environment: Environment = process.env): boolean {
  return environment['npm_execpath'] !== undefined;
}

const PORTS = { minimum: 1, maximum: 65_535 };

/**
 * What `up` needs to know itself; each process it starts reads its own settings.
 *
 * @param readOthers reads these, so that all that is wrong is told at once
 * @throws SettingError
 */
export function upSettings(readOthers: (kafka: boolean) => void, environment: Environment = process.env): UpSettings {
  return readSettings(environment, () => {
    const kafka = hasKafka(environment);
    const port = integer(environment, 'PORT', { default: 3000, ...PORTS });
    const opsPort = integer(environment, 'OPS_PORT', { default: 3001, ...PORTS });
    if (port === opsPort) refuse('OPS_PORT', `PORT and OPS_PORT must differ, and are both ${port}.`);
    const settings = {
      ...databaseSettings(environment),
      host: optionalText(environment, 'HOST') ?? '127.0.0.1',
      port,
      opsPort,
      opsToken: optionalText(environment, 'OPS_TOKEN'),
      sampleFleet: oneOf(environment, 'SAMPLE_FLEET', ['on', 'off'], 'on') === 'on',
      kafka,
    };
    readOthers(kafka);
    return settings;
  });
}

/** A process that `up` starts. */
export type ProcessName = 'api' | 'projector' | 'ops' | 'ingest';

/**
 * The environment of a process that `up` starts: ours, on this database, quiet and quick to stop unless told
 * otherwise. The operators' token goes to the one process that asks for it.
 */
export function childEnvironment(
  name: ProcessName,
  databaseUrl: string,
  opsToken: string,
  environment: Environment = process.env,
): Environment {
  const { OPS_TOKEN: _, ...others } = environment;
  return {
    ...others,
    ...(name === 'ops' ? { OPS_TOKEN: opsToken } : {}),
    DATABASE_URL: databaseUrl,
    SHUTDOWN_DELAY_SECONDS: optionalText(environment, 'SHUTDOWN_DELAY_SECONDS') ?? '0',
    LOG_LEVEL: optionalText(environment, 'LOG_LEVEL') ?? 'warn',
  };
}

/** What stands in an address as it is. */
const PASSWORD = /^[A-Za-z0-9._~-]+$/;

/** The passwords of the logins that `migrate` makes. Throws SettingError. */
export function loginPasswords(environment: Environment = process.env): LoginPasswords {
  const password = (name: SettingName): string | undefined => {
    const text = optionalText(environment, name);
    if (text !== undefined && !PASSWORD.test(text))
      refuse(name, `${name} must be of letters, digits and . _ ~ - alone.`);
    return text;
  };
  return readSettings(environment, () => ({
    api: password('API_PASSWORD'),
    ingest: password('INGEST_PASSWORD'),
    projector: password('PROJECTOR_PASSWORD'),
    ops: password('OPS_PASSWORD'),
  }));
}

/** The token of the operators' API, for commands that run on a server. */
export function operatorToken(environment: Environment = process.env): string | undefined {
  return optionalText(environment, 'OPS_TOKEN');
}
