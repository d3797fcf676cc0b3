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
      shutdownDelaySeconds: 5,
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
  ])('refuses %s=%s, naming the setting', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});
