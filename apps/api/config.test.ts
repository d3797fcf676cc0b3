import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
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
    ['LOG_LEVEL', 'loud'],
    ['MAP_TILES_ADDRESS', 'https://tiles.example.org'],
    ['MAP_TILES_ADDRESS', 'ftp://tiles.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_ADDRESS', 'https://{s}.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_ADDRESS', "https://x.org;script-src 'unsafe-inline'/{z}/{x}/{y}.png"],
    ['MAP_TILES_ATTRIBUTION', 'Example'],
  ])('refuses %s=%s, naming the setting', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it('reads where the tiles of the base map are, and whom to name for them', () => {
    const address = 'https://tiles.example.org:8443/{z}/{x}/{y}.png?key=1';
    const environment = { MAP_TILES_ADDRESS: address, MAP_TILES_ATTRIBUTION: '© Example' };
    expect(readConfig(environment).mapTiles).toEqual({ address, attribution: '© Example' });
  });
});
