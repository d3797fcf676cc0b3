import { describe, inject, type TestOptions } from 'vitest';
import { unless } from './programs.ts';
import './provided.ts';
import type { ServiceName } from './services/index.ts';

/** Returns the options for a test that needs a service. Without the service, the test is skipped. */
function needsService(name: ServiceName): TestOptions {
  const reason = inject('unavailableServices')[name];
  return unless(reason === undefined ? null : `${name}: ${reason}`);
}

/**
 * Declares a suite that needs PostgreSQL and is skipped without it. The tests create databases with
 * `createTestDatabase`.
 */
export function describeWithPostgres(title: string, body: (url: string) => void, options: TestOptions = {}): void {
  describe(title, { ...options, ...needsService('postgres') }, () => body(inject('postgresUrl') ?? ''));
}

/** Declares a suite that needs Kafka and is skipped without it. `body` gets the brokers. */
export function describeWithKafka(title: string, body: (brokers: string[]) => void): void {
  describe(title, needsService('kafka'), () => body(inject('kafkaBrokers') ?? []));
}

/** Declares a suite that needs Redis and is skipped without it. `body` gets its URL. */
export function describeWithRedis(title: string, body: (url: string) => void): void {
  describe(title, needsService('redis'), () => body(inject('redisUrl') ?? ''));
}
