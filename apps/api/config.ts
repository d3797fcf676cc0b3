import {
  type Environment,
  metricsAddress,
  processSettings,
  readSettings,
  type Settings,
  standbyUrl,
} from '@milepost/service';

/** Explore's base map, as XYZ tiles. */
export interface MapTiles {
  /** The URL of a tile, with the placeholders `{z}`, `{x}` and `{y}`. */
  address: string;
  /** The attribution required by the provider, as plain text. */
  attribution: string;
}

function mapTiles(settings: Settings): MapTiles | undefined {
  const address = settings.get('MAP_TILES_ADDRESS');
  const attribution = settings.get('MAP_TILES_ATTRIBUTION');
  if (attribution !== '' && !settings.has('MAP_TILES_ADDRESS'))
    settings.refuse('MAP_TILES_ATTRIBUTION', 'MAP_TILES_ATTRIBUTION needs MAP_TILES_ADDRESS.');
  return address === undefined ? undefined : { address, attribution };
}

/** Reads the settings of the API process. Throws SettingError. */
export function readConfig(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => {
    const port = settings.get('PORT');
    const config = {
      ...processSettings(settings, 'pooled'),
      standbyUrl: standbyUrl(settings),
      host: settings.get('HOST'),
      port,
      redisUrl: settings.get('REDIS_URL'),
      rateLimitPerMinute: settings.get('RATE_LIMIT_PER_MINUTE'),
      requestLog: settings.get('REQUEST_LOG') === 'on',
      metrics: metricsAddress(settings),
      publicUrl: settings.get('PUBLIC_URL'),
      requireContentType: settings.get('REQUIRE_CONTENT_TYPE') === 'true',
      shutdownDelaySeconds: settings.get('SHUTDOWN_DELAY_SECONDS'),
      mapTiles: mapTiles(settings),
      corsOrigins: settings.get('CORS_ORIGINS'),
    };
    if (port !== 0 && config.metrics?.port === port)
      settings.refuse('METRICS_PORT', `PORT and METRICS_PORT must differ, but both are ${port}.`);
    return config;
  });
}
