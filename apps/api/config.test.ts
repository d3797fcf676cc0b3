import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('readConfig has a default for every setting', () => {
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
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['REQUIRE_CONTENT_TYPE', 'no'],
  ['SHUTDOWN_DELAY_SECONDS', '16'],
  ['DATABASE_URL', 'mysql://x'],
  ['REDIS_URL', 'localhost:6379'],
  ['MAP_TILES_ADDRESS', 'https://tiles.example.org'],
  ['MAP_TILES_ADDRESS', 'ftp://tiles.example.org/{z}/{x}/{y}.png'],
  ['MAP_TILES_ADDRESS', 'https://{s}.example.org/{z}/{x}/{y}.png'],
  ['MAP_TILES_ADDRESS', "https://x.org;script-src 'unsafe-inline'/{z}/{x}/{y}.png"],
  ['MAP_TILES_ATTRIBUTION', 'Example'],
  ['METRICS_PORT', '3000'],
  ['PUBLIC_URL', 'https://example.org/?q=1'],
  ['CORS_ORIGINS', 'https://example.org, https://example.org/path'],
])('readConfig refuses %s=%s and names the setting', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

it('readConfig reads each setting of the API from its own variable', () => {
  const address = 'https://tiles.example.org:8443/{z}/{x}/{y}.png?key=1';
  const environment = {
    MILEPOST_HOME: '/data',
    LOG_LEVEL: 'debug',
    HOST: '0.0.0.0',
    PORT: '80',
    METRICS_PORT: '81',
    RATE_LIMIT_PER_MINUTE: '1',
    REQUIRE_CONTENT_TYPE: 'false',
    REQUEST_LOG: 'off',
    SHUTDOWN_DELAY_SECONDS: '15',
    REDIS_URL: 'rediss://r',
    DATABASE_URL: 'postgres://u@pooler/d',
    DATABASE_URL_DIRECT: 'postgres://u@server/d',
    DATABASE_URL_READ: 'postgres://u@standby/d',
    CORS_ORIGINS: 'https://a.example.org, http://127.0.0.1:8080',
    PUBLIC_URL: 'https://b.org/x/',
    MAP_TILES_ADDRESS: address,
    MAP_TILES_ATTRIBUTION: '© Example',
  };
  expect(readConfig(environment)).toMatchObject({
    home: '/data',
    logLevel: 'debug',
    host: '0.0.0.0',
    port: 80,
    metrics: { host: '0.0.0.0', port: 81 },
    rateLimitPerMinute: 1,
    requireContentType: false,
    requestLog: false,
    shutdownDelaySeconds: 15,
    redisUrl: 'rediss://r',
    databaseUrl: 'postgres://u@pooler/d?pool_mode=transaction',
    standbyUrl: 'postgres://u@standby/d?target_session_attrs=standby',
    corsOrigins: ['https://a.example.org', 'http://127.0.0.1:8080'],
    publicUrl: 'https://b.org/x',
    mapTiles: { address, attribution: '© Example' },
  });
  expect(readConfig({ METRICS_PORT: '9100' }).metrics).toEqual({ host: '127.0.0.1', port: 9_100 });
  expect(readConfig({ METRICS_PORT: '' }).metrics).toBeUndefined();
  // Port 0 means any free port.
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metrics?.port).toBe(0);
});
