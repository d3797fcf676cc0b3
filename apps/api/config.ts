import { address, flag, integer, LOG_LEVELS, type LogLevel, oneOf, optionalText } from '@milepost/service';

const MOST_REQUESTS_PER_MINUTE = 1_000_000_000;

export interface ApiConfig {
  host: string;
  port: number;
  databaseUrl: string | undefined;
  home: string;
  redisUrl: string | undefined;
  rateLimitPerMinute: number;
  requireContentType: boolean;
  logLevel: LogLevel;
}

/** The settings of the API process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ApiConfig {
  return {
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port: integer(environment, 'PORT', { default: 3000, minimum: 0, maximum: 65_535 }),
    databaseUrl: address(environment, 'DATABASE_URL', ['postgres', 'postgresql']),
    home: optionalText(environment, 'MILEPOST_HOME') ?? '.milepost',
    redisUrl: address(environment, 'REDIS_URL', ['redis', 'rediss']),
    rateLimitPerMinute: integer(environment, 'RATE_LIMIT_PER_MINUTE', {
      default: 5_000,
      minimum: 1,
      maximum: MOST_REQUESTS_PER_MINUTE,
    }),
    requireContentType: flag(environment, 'REQUIRE_CONTENT_TYPE', true),
    logLevel: oneOf(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}
