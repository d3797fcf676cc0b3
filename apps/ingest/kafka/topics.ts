import type { Admin } from 'kafkajs';

/** Partitions of a topic made here: room for as many ingest processes. */
const PARTITIONS = 6;

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
    waitForLeaders: true,
    topics: missing.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: -1 })),
  });
  return missing;
}
