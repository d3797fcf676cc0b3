import { resolve } from 'node:path';
import { address, type Environment, integer, oneOf, optionalText } from '@milepost/service';

export interface DatabaseSettings {
  /** Undefined: the embedded server under `home`. */
  databaseUrl: string | undefined;
  /** Absolute path of the folder where everything of an embedded Milepost lives. */
  home: string;
}

export interface UpSettings extends DatabaseSettings {
  host: string;
  port: number;
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

/** Whether npm (`npm start`, `npx milepost`) runs this program, which it does through a shell. */
export function startedByNpm(environment: Environment = process.env): boolean {
  return optionalText(environment, 'npm_execpath') !== undefined;
}

/** What `up` needs to know itself; each process it starts reads its own settings. Throws SettingError. */
export function upSettings(environment: Environment = process.env): UpSettings {
  return {
    ...databaseSettings(environment),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port: integer(environment, 'PORT', { default: 3000, minimum: 1, maximum: 65_535 }),
    sampleFleet: oneOf(environment, 'SAMPLE_FLEET', ['on', 'off'], 'on') === 'on',
    kafka: hasKafka(environment),
  };
}

/** The environment of a process that `up` starts: ours, on this database, and quiet unless asked to speak. */
export function childEnvironment(databaseUrl: string, environment: Environment = process.env): Environment {
  return {
    ...environment,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: optionalText(environment, 'LOG_LEVEL') ?? 'warn',
  };
}
