import { setTimeout as delay } from 'node:timers/promises';
import { causeOf, messageOf } from '@milepost/service';
import kafkajs, { type Admin } from 'kafkajs';
import { protocolErrorOf } from './errors.ts';
import type { KafkaFinding } from './findings.ts';

/** The number of partitions in a topic created by ingest. At most this many ingest processes can share the topic. */
const PARTITIONS = 6;

const POLL_MILLISECONDS = 100;
const MAX_WAIT_MILLISECONDS = 15_000;

/** The part of Kafka's admin client that prepares topics. */
export type TopicsAdmin = Pick<Admin, 'listTopics' | 'createTopics' | 'fetchTopicMetadata'>;

/** Resolves when the broker serves a topic. The client's own wait fails if the broker does not know the topic yet. */
async function untilServed(admin: TopicsAdmin, topic: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MILLISECONDS;
  for (;;) {
    try {
      await admin.fetchTopicMetadata({ topics: [topic] });
      return;
    } catch (error) {
      if (performance.now() > deadline || protocolErrorOf(error) === 'TOPIC_AUTHORIZATION_FAILED') throw error;
      await delay(POLL_MILLISECONDS);
    }
  }
}

/**
 * Creates a topic. `isNew` is false if another client created it at the same time, and `reason` says why the topic
 * cannot be used. Throws when the brokers are unreachable.
 */
async function create(admin: TopicsAdmin, topic: string): Promise<{ isNew: boolean } | { reason: string }> {
  const configEntries = [{ name: 'cleanup.policy', value: 'delete' }];
  const topics = [{ topic, numPartitions: PARTITIONS, replicationFactor: -1, configEntries }];
  try {
    const isNew = await admin.createTopics({ waitForLeaders: false, topics });
    await untilServed(admin, topic);
    return { isNew };
  } catch (error) {
    if (error instanceof kafkajs.KafkaJSAggregateError) return { reason: error.errors.map(messageOf).join(' ') };
    if (protocolErrorOf(error) === 'TOPIC_AUTHORIZATION_FAILED')
      return { reason: 'it exists, but the brokers hide it from this client' };
    throw error;
  }
}

interface PreparedTopics {
  /** The topics that are visible to this client. The client may lack permission to read or write them. */
  visible: string[];
  created: string[];
  findings: KafkaFinding[];
}

/**
 * Creates missing topics, for local use. A topic that cannot be created becomes a finding, and the others are returned.
 *
 * @param admin a connected client
 * @param identity the client, as the subject of a sentence
 * @param permission the permission that the client needs on the topics
 */
export async function prepareTopics(
  admin: TopicsAdmin,
  topics: readonly string[],
  identity: string,
  permission: 'READ' | 'WRITE',
): Promise<PreparedTopics> {
  const existing = new Set(await admin.listTopics());
  const prepared: PreparedTopics = { visible: [], created: [], findings: [] };
  for (const topic of topics) {
    const outcome = existing.has(topic) ? { isNew: false } : await create(admin, topic);
    if ('isNew' in outcome) {
      prepared.visible.push(topic);
      if (outcome.isNew) prepared.created.push(topic);
    } else {
      const reason = causeOf(outcome.reason);
      const remedy = `Create the topic and grant the ${permission} permission on it.`;
      const message = `${identity} finds no topic "${topic}" and cannot create it: ${reason}. ${remedy}`;
      prepared.findings.push({ topic, code: 'topic_denied', isWarning: false, message });
    }
  }
  return prepared;
}
