import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe("the ops process's settings", () => {
  it('have defaults for everything except the token', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3001,
      token: undefined,
      kafka: undefined,
      maximumLagSeconds: 60,
    });
  });

  it('treat an empty token, which is what compose files pass, as absent', () => {
    expect(readConfig({ OPS_TOKEN: '' }).token).toBeUndefined();
  });

  it.each([
    ['a token that no header can carry', { OPS_TOKEN: 'two words' }, /^OPS_TOKEN must be/],
    ['a token that no header can carry', { OPS_TOKEN: 'zoë' }, /^OPS_TOKEN must be/],
    ['a port', { OPS_PORT: '99999' }, /^OPS_PORT must be/],
    ['a lag', { MAXIMUM_LAG_SECONDS: '0' }, /^MAXIMUM_LAG_SECONDS must be/],
    ['brokers', { KAFKA_BROKERS: 'kafka' }, /^KAFKA_BROKERS must/],
  ])('are refused with %s', (_what, environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});
