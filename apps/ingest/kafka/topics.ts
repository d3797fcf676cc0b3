import type { Logger } from '@milepost/service';
import type { Admin } from 'kafkajs';

/** Partitions of a topic made here: room for as many ingest processes. */
const PARTITIONS = 6;

/** Makes the topics that do not exist, as local use wants it; where that is not allowed the consumer says so later. */
export async function ensureTopics(admin: Admin, topics: readonly string[], logger: Logger): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter((topic) => !existing.has(topic));
  if (missing.length === 0) return;
  await admin.createTopics({
    waitForLeaders: true,
    topics: missing.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: -1 })),
  });
  logger.info({ topics: missing }, 'topics created');
}
