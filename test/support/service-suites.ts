import { describe, inject, type TestOptions } from 'vitest';
import { unless } from './programs.ts';
import './provided.ts';
import type { ServiceName } from './services/index.ts';

/** The options of a test that needs a service. Without the service, the test is skipped. */
export function needsService(name: ServiceName): TestOptions {
  const reason = inject('unavailableServices')[name];
  return unless(reason === undefined ? null : `${name}: ${reason}`);
}

/**
 * A suite that needs PostgreSQL; its tests create databases with `createTestDatabase`. It is skipped without
 * PostgreSQL.
 */
export function describeWithPostgres(title: string, body: (url: string) => void, options: TestOptions = {}): void {
  describe(title, { ...options, ...needsService('postgres') }, () => body(inject('postgresUrl') ?? ''));
}

/** A suite that needs Kafka; `body` gets the brokers. It is skipped without Kafka. */
export function describeWithKafka(title: string, body: (brokers: string[]) => void): void {
  describe(title, needsService('kafka'), () => body(inject('kafkaBrokers') ?? []));
}

/** A suite that needs Redis; `body` gets its URL. It is skipped without Redis. */
export function describeWithRedis(title: string, body: (url: string) => void): void {
  describe(title, needsService('redis'), () => body(inject('redisUrl') ?? ''));
}
