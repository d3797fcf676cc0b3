import { setTimeout as delay } from 'node:timers/promises';
import type { Admin } from 'kafkajs';

/** Partitions of a topic made here: room for as many ingest processes. */
const PARTITIONS = 6;

const POLL_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 15_000;

/** Resolves once the broker serves the topics; the client's own waiting fails while the broker has not heard of them yet. */
async function untilServed(admin: Admin, topics: string[]): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MILLISECONDS;
  for (;;) {
    try {
      await admin.fetchTopicMetadata({ topics });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(POLL_MILLISECONDS);
    }
  }
}

/**
 * Makes the topics that do not exist, as local use wants it, and returns their names. Throws where that is not allowed.
 *
 * @param admin connected
 */
export async function ensureTopics(admin: Admin, topics: readonly string[]): Promise<string[]> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter((topic) => !existing.has(topic));
  if (missing.length === 0) return [];
  await admin.createTopics({
    waitForLeaders: false,
    topics: missing.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: -1 })),
  });
  await untilServed(admin, missing);
  return missing;
}
