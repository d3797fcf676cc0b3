import { address, LOG_LEVELS, type LogLevel, oneOf, optionalText } from '@milepost/service';

export interface ProjectorConfig {
  databaseUrl: string | undefined;
  home: string;
  logLevel: LogLevel;
}

/** The settings of the projector process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ProjectorConfig {
  return {
    databaseUrl: address(environment, 'DATABASE_URL', ['postgres', 'postgresql']),
    home: optionalText(environment, 'MILEPOST_HOME') ?? '.milepost',
    logLevel: oneOf(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}
