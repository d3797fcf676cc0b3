import { LOG_LEVELS, type LogLevel } from './log.ts';
import { address, type Environment, oneOf, optionalText } from './settings.ts';

/** What every long-running process wants to know. */
export interface ProcessSettings {
  /** Undefined: the embedded server under `home`. */
  databaseUrl: string | undefined;
  /** The folder where everything of an embedded Milepost lives. */
  home: string;
  logLevel: LogLevel;
}

/** Whether a server logs its requests. Throws SettingError. */
export function logsRequests(environment: Environment): boolean {
  return oneOf(environment, 'REQUEST_LOG', ['on', 'off'], 'on') === 'on';
}

/** Reads DATABASE_URL, MILEPOST_HOME and LOG_LEVEL. Throws SettingError. */
export function processSettings(environment: Environment): ProcessSettings {
  return {
    databaseUrl: address(environment, 'DATABASE_URL', ['postgres', 'postgresql']),
    home: optionalText(environment, 'MILEPOST_HOME') ?? '.milepost',
    logLevel: oneOf(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}
