import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaFinding } from './findings.ts';

/** Operators must notice and fix a fault in ingest before the retention ends. Kafka's default is seven days. */
const MIN_RETENTION_MILLISECONDS = 24 * 60 * 60 * 1_000;
/** With batches of up to this size, ingest needs at most 512 MiB of memory. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const NAMES = { policy: 'cleanup.policy', retention: 'retention.ms', messages: 'max.message.bytes' } as const;

/**
 * Reads the part of a topic's configuration that decides whether all records can be read. Throws if the client lacks
 * the DESCRIBE_CONFIGS permission on the topic.
 */
export async function readTopicConfiguration(admin: Pick<Admin, 'describeConfigs'>, topic: string) {
  const configNames = Object.values(NAMES);
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const resources = [{ type, name: topic, configNames }];
  const answer = await admin.describeConfigs({ resources, includeSynonyms: false });
  const entries = answer.resources.flatMap(({ configEntries }) => configEntries);
  const textOf = (name: string) => entries.find(({ configName }) => configName === name)?.configValue ?? '';
  return {
    topic,
    /** `delete`, `compact`, or both, separated by a comma. */
    cleanupPolicy: textOf(NAMES.policy),
    /** -1: no limit. */
    retentionMilliseconds: Number(textOf(NAMES.retention) || -1),
    maxMessageBytes: Number(textOf(NAMES.messages)),
  };
}

type TopicConfiguration = Awaited<ReturnType<typeof readTopicConfiguration>>;

/** Returns a warning for each part of the configuration that may cause records to be lost or memory to run out. */
export function checkTopicConfiguration(configuration: TopicConfiguration): KafkaFinding[] {
  const { topic, cleanupPolicy, retentionMilliseconds, maxMessageBytes } = configuration;
  const policies = cleanupPolicy.split(',').map((policy) => policy.trim());
  const found: [KafkaFinding['code'], string][] = [];
  if (policies.includes('compact')) {
    const effect = "Kafka keeps only the last record for each key, so it removes a driver's trips before they are read";
    found.push(['topic_compacted', `has ${NAMES.policy}=${cleanupPolicy}. ${effect}. Set ${NAMES.policy}=delete.`]);
  }
  const isShort = retentionMilliseconds >= 0 && retentionMilliseconds < MIN_RETENTION_MILLISECONDS;
  if (policies.includes('delete') && isShort) {
    const effect = 'If ingest is down for longer than this, records are lost';
    const remedy = `Set ${NAMES.retention} to ${MIN_RETENTION_MILLISECONDS} (a day) or more.`;
    found.push(['topic_retention_short', `has ${NAMES.retention}=${retentionMilliseconds}. ${effect}. ${remedy}`]);
  }
  if (maxMessageBytes > MAX_MESSAGE_BYTES) {
    const effect = 'Ingest may need more than 512 MiB of memory for a batch of this size';
    const remedy = `Set ${NAMES.messages} to ${MAX_MESSAGE_BYTES} or less.`;
    found.push(['topic_messages_large', `has ${NAMES.messages}=${maxMessageBytes}. ${effect}. ${remedy}`]);
  }
  return found.map(([code, rest]) => ({ topic, code, isWarning: true, message: `Topic "${topic}" ${rest}` }));
}
