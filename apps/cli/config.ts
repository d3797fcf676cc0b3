import { resolve } from 'node:path';
import type { LoginPasswords } from '@milepost/postgres';
import { address, type Environment, integer, oneOf, optionalText, SettingError } from '@milepost/service';

export interface DatabaseSettings {
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
  return {
    databaseUrl: address(environment, 'DATABASE_URL', ['postgres', 'postgresql']),
    home: resolve(optionalText(environment, 'MILEPOST_HOME') ?? '.milepost'),
  };
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
  return optionalText(environment, 'npm_execpath') !== undefined;
}

const PORTS = { minimum: 1, maximum: 65_535 };

/** What `up` needs to know itself; each process it starts reads its own settings. Throws SettingError. */
export function upSettings(environment: Environment = process.env): UpSettings {
  const port = integer(environment, 'PORT', { default: 3000, ...PORTS });
  const opsPort = integer(environment, 'OPS_PORT', { default: 3001, ...PORTS });
  if (port === opsPort) throw new SettingError(`PORT and OPS_PORT must differ, and are both ${port}.`);
  return {
    ...databaseSettings(environment),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port,
    opsPort,
    opsToken: optionalText(environment, 'OPS_TOKEN'),
    sampleFleet: oneOf(environment, 'SAMPLE_FLEET', ['on', 'off'], 'on') === 'on',
    kafka: hasKafka(environment),
  };
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

/** The passwords of the logins that `migrate` makes. */
export function loginPasswords(environment: Environment = process.env): LoginPasswords {
  const set = (['api', 'ingest', 'projector', 'ops'] as const).map((login) => [
    login,
    optionalText(environment, `${login.toUpperCase()}_PASSWORD`),
  ]);
  return Object.fromEntries(set.filter(([, password]) => password !== undefined));
}
