import { describe } from 'vitest';
import { needs, unless } from './programs.ts';
import { kafkaJars } from './services/kafka/jars.ts';
import { reasonOf } from './services/services.ts';

/** The options for a test that runs Kafka's programs with this machine's Java. */
export const needsKafkaJars = unless(
  await kafkaJars().then(
    () => null,
    (error: unknown) => `programs of Kafka: ${reasonOf(error)}`,
  ),
);

/** Declares a suite that starts its own brokers with this machine's Java and openssl. Without them, it is skipped. */
export function describeWithOwnBroker(title: string, body: () => void): void {
  describe(title, { ...needs('openssl'), ...needsKafkaJars }, body);
}
