import { describe, inject, it } from 'vitest';
import './provided.ts';

function suite<Address>(
  name: 'postgres' | 'kafka' | 'redis',
  address: Address | null,
  title: string,
  body: (address: Address) => void,
): void {
  if (address !== null) {
    describe(title, () => body(address));
    return;
  }
  it.skipIf(true)(`${title} (needs ${name}: ${inject('unavailableServices')[name]})`, () => {});
}

/**
 * A suite that needs PostgreSQL; its tests create databases with `createTestDatabase`. It is skipped without
 * PostgreSQL.
 */
export function describeWithPostgres(title: string, body: (url: string) => void): void {
  suite('postgres', inject('postgresUrl'), title, body);
}

/** A suite that needs Kafka; `body` gets the brokers. It is skipped without Kafka. */
export function describeWithKafka(title: string, body: (brokers: string[]) => void): void {
  suite('kafka', inject('kafkaBrokers'), title, body);
}

/** A suite that needs Redis; `body` gets its URL. It is skipped without Redis. */
export function describeWithRedis(title: string, body: (url: string) => void): void {
  suite('redis', inject('redisUrl'), title, body);
}
