import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      home: '.milepost',
      redisUrl: undefined,
      rateLimitPerMinute: 5000,
      requireContentType: true,
      requestLog: true,
      shutdownDelaySeconds: 5,
      mapTiles: undefined,
      publicUrl: '',
      corsOrigins: [],
      logLevel: 'info',
    });
  });

  it.each([
    ['PORT', '70000'],
    ['METRICS_PORT', '70000'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['REQUIRE_CONTENT_TYPE', 'no'],
    ['SHUTDOWN_DELAY_SECONDS', '16'],
    ['DATABASE_URL', 'mysql://x'],
    ['REDIS_URL', 'localhost:6379'],
    ['LOG_LEVEL', 'loud'],
    ['MAP_TILES_ADDRESS', 'https://tiles.example.org'],
    ['MAP_TILES_ADDRESS', 'ftp://tiles.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_ADDRESS', 'https://{s}.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_ADDRESS', "https://x.org;script-src 'unsafe-inline'/{z}/{x}/{y}.png"],
    ['MAP_TILES_ATTRIBUTION', 'Example'],
    ['PUBLIC_URL', 'example.org/milepost'],
    ['PUBLIC_URL', 'https://example.org/?q=1'],
    ['CORS_ORIGINS', 'example.org'],
    ['CORS_ORIGINS', 'https://example.org, https://example.org/path'],
  ])('refuses %s=%s and names the setting', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it('reads each setting of the API from its own variable', () => {
    const environment = {
      HOST: '0.0.0.0',
      PORT: '80',
      METRICS_PORT: '81',
      RATE_LIMIT_PER_MINUTE: '1',
      REQUIRE_CONTENT_TYPE: 'false',
      REQUEST_LOG: 'off',
      SHUTDOWN_DELAY_SECONDS: '0',
      REDIS_URL: 'rediss://r',
      DATABASE_URL: 'postgres://u@pooler/d',
      DATABASE_URL_DIRECT: 'postgres://u@server/d',
      DATABASE_URL_READ: 'postgres://u@standby/d',
    };
    expect(readConfig(environment)).toMatchObject({
      host: '0.0.0.0',
      port: 80,
      metrics: { host: '0.0.0.0', port: 81 },
      rateLimitPerMinute: 1,
      requireContentType: false,
      requestLog: false,
      shutdownDelaySeconds: 0,
      redisUrl: 'rediss://r',
      databaseUrl: 'postgres://u@pooler/d?pool_mode=transaction',
      standbyUrl: 'postgres://u@standby/d?target_session_attrs=standby',
    });
    expect(readConfig({ SHUTDOWN_DELAY_SECONDS: '15' }).shutdownDelaySeconds).toBe(15);
    expect(readConfig({ CORS_ORIGINS: '*,' }).corsOrigins).toEqual(['*']);
  });

  it('refuses a port for the metrics that the API uses', () => {
    expect(() => readConfig({ PORT: '9100', METRICS_PORT: '9100' })).toThrow(
      'PORT and METRICS_PORT must differ, but both are 9100.',
    );
    expect(readConfig({ METRICS_PORT: '9100' }).metrics).toEqual({ host: '127.0.0.1', port: 9_100 });
    // Port 0 stands for any free port.
    expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metrics?.port).toBe(0);
  });

  it('reads the allowed origins, and the address of the server without its trailing slash', () => {
    const environment = {
      CORS_ORIGINS: 'https://a.example.org, http://127.0.0.1:8080',
      PUBLIC_URL: 'https://b.org/x/',
    };
    expect(readConfig(environment)).toMatchObject({
      corsOrigins: ['https://a.example.org', 'http://127.0.0.1:8080'],
      publicUrl: 'https://b.org/x',
    });
  });

  it('reads the address of the map tiles and their attribution', () => {
    const address = 'https://tiles.example.org:8443/{z}/{x}/{y}.png?key=1';
    const environment = { MAP_TILES_ADDRESS: address, MAP_TILES_ATTRIBUTION: '© Example' };
    expect(readConfig(environment).mapTiles).toEqual({ address, attribution: '© Example' });
  });
});
