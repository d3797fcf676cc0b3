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

/** A suite that needs PostgreSQL; its tests take a database from `createTestDatabase`. Skipped when there is none. */
export function describeWithPostgres(title: string, body: (url: string) => void): void {
  suite('postgres', inject('postgresUrl'), title, body);
}

/** A suite that needs Kafka; `body` gets the brokers. Skipped when there is none. */
export function describeWithKafka(title: string, body: (brokers: string[]) => void): void {
  suite('kafka', inject('kafkaBrokers'), title, body);
}

/** A suite that needs Redis; `body` gets its URL. Skipped when there is none. */
export function describeWithRedis(title: string, body: (url: string) => void): void {
  suite('redis', inject('redisUrl'), title, body);
}
