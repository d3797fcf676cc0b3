import {
  address,
  type Environment,
  flag,
  integer,
  logsRequests,
  type MetricsAddress,
  metricsAddress,
  optionalText,
  type ProcessSettings,
  processSettings,
  publicUrl,
  readSettings,
  refuse,
  standbyUrl,
} from '@milepost/service';
import { type MapTiles, mapTiles } from './map-tiles.ts';
import { corsOrigins } from './plugins/cors.ts';

const MAX_REQUESTS_PER_MINUTE = 1_000_000_000;

interface ApiConfig extends ProcessSettings {
  /** The standbys to read from. If undefined, the API reads from the primary. */
  standbyUrl: string | undefined;
  host: string;
  port: number;
  redisUrl: string | undefined;
  rateLimitPerMinute: number;
  requireContentType: boolean;
  requestLog: boolean;
  /** If undefined, no metrics are served. */
  metrics: MetricsAddress | undefined;
  /** The URL at which clients reach the server; empty when they use the same paths as the server. */
  publicUrl: string;
  shutdownDelaySeconds: number;
  mapTiles: MapTiles | undefined;
  /** The origins whose pages may call the API. */
  corsOrigins: readonly string[];
}

/** The settings of the API process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ApiConfig {
  return readSettings(environment, () => read(environment));
}

/** Reads the address of the metrics, whose port must differ from the API's port. */
function differentAddress(environment: Environment, port: number): MetricsAddress | undefined {
  const address = metricsAddress(environment);
  if (address !== undefined && port !== 0 && address.port === port) {
    refuse('METRICS_PORT', `PORT and METRICS_PORT must differ, but both are ${port}.`);
  }
  return address;
}

function read(environment: Environment): ApiConfig {
  const port = integer(environment, 'PORT', { default: 3000, minimum: 0, maximum: 65_535 });
  return {
    ...processSettings(environment, 'pooled'),
    standbyUrl: standbyUrl(environment),
    host: optionalText(environment, 'HOST') ?? '127.0.0.1',
    port,
    redisUrl: address(environment, 'REDIS_URL', ['redis', 'rediss']),
    rateLimitPerMinute: integer(environment, 'RATE_LIMIT_PER_MINUTE', {
      default: 5_000,
      minimum: 1,
      maximum: MAX_REQUESTS_PER_MINUTE,
    }),
    requestLog: logsRequests(environment),
    metrics: differentAddress(environment, port),
    publicUrl: publicUrl(environment, 'PUBLIC_URL'),
    requireContentType: flag(environment, 'REQUIRE_CONTENT_TYPE', true),
    // The process exits after 25 s, so the maximum leaves 10 s for the last answers.
    shutdownDelaySeconds: integer(environment, 'SHUTDOWN_DELAY_SECONDS', { default: 5, minimum: 0, maximum: 15 }),
    mapTiles: mapTiles(environment),
    corsOrigins: corsOrigins(environment),
  };
}
