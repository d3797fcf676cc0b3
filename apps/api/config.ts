import {
  address,
  flag,
  integer,
  logsRequests,
  optionalText,
  type ProcessSettings,
  processSettings,
  readSettings,
} from '@milepost/service';
import { type MapTiles, mapTiles } from './map-tiles.ts';

const MOST_REQUESTS_PER_MINUTE = 1_000_000_000;

interface ApiConfig extends ProcessSettings {
  host: string;
  port: number;
  redisUrl: string | undefined;
  rateLimitPerMinute: number;
  requireContentType: boolean;
  requestLog: boolean;
  shutdownDelaySeconds: number;
  mapTiles: MapTiles | undefined;
}

/** The settings of the API process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ApiConfig {
  return readSettings(environment, () => ({
    ...processSettings(environment),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port: integer(environment, 'PORT', { default: 3000, minimum: 0, maximum: 65_535 }),
    redisUrl: address(environment, 'REDIS_URL', ['redis', 'rediss']),
    rateLimitPerMinute: integer(environment, 'RATE_LIMIT_PER_MINUTE', {
      default: 5_000,
      minimum: 1,
      maximum: MOST_REQUESTS_PER_MINUTE,
    }),
    requestLog: logsRequests(environment),
    requireContentType: flag(environment, 'REQUIRE_CONTENT_TYPE', true),
    // At most so long that 25 s, after which the process ends the hard way, leave time for the last answers.
    shutdownDelaySeconds: integer(environment, 'SHUTDOWN_DELAY_SECONDS', { default: 5, minimum: 0, maximum: 15 }),
    mapTiles: mapTiles(environment),
  }));
}
