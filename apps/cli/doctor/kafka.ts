import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecord } from '@milepost/event-log/prepare';
import { createKafkaClient } from '@milepost/kafka/client';
import type { KafkaConfig } from '@milepost/kafka/config';
import { findingOf, isCoordinatorLoading } from '@milepost/kafka/errors';
import { findGroupError } from '@milepost/kafka/find-group';
import type { KafkaFinding } from '@milepost/kafka/findings';
import { checkTopicConfiguration, readTopicConfiguration } from '@milepost/kafka/topic-checks';
import { causeOf, createLogger } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import { counted } from '../output.ts';
import { type Finding, judge } from './check.ts';

const SAMPLED_RECORDS = 10;
const MAX_SAMPLING_MILLISECONDS = 10_000;
const INVISIBLE_TOPIC =
  'This client cannot see the topic. Ingest creates it if permitted; otherwise, create it yourself and grant READ.';

function toFinding(check: string, { isWarning, message }: KafkaFinding): Finding {
  return { check, result: isWarning ? 'warning' : 'failed', message };
}

async function checkConfiguration(admin: Admin, topic: string): Promise<Finding[]> {
  const check = `configuration of ${topic}`;
  try {
    const found = checkTopicConfiguration(await readTopicConfiguration(admin, topic));
    if (found.length > 0) return found.map((each) => toFinding(check, each));
    return [{ check, result: 'passed', message: 'Retention, cleanup policy and maximum message size are correct.' }];
  } catch {
    const message = `This client is not allowed to read it: grant DESCRIBE_CONFIGS on ${topic}.`;
    return [{ check, result: 'skipped', message }];
  }
}

/** Finds the last few records of each non-empty partition, which have the offsets from `first` to just before `end`. */
async function lastOffsets(admin: Admin, topic: string) {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets.flatMap(({ partition, low, high }) => {
    const [start, end] = [BigInt(low), BigInt(high)];
    const first = end - BigInt(SAMPLED_RECORDS);
    return end > start ? [{ partition, first: first > start ? first : start, end }] : [];
  });
}

/** Reads a topic's last records. Uses a separate consumer group, so that ingest is not disturbed. */
async function sampleRecords(kafka: Kafka, admin: Admin, groupId: string, topic: string): Promise<(Buffer | null)[]> {
  const ranges = await lastOffsets(admin, topic);
  const available = ranges.reduce((sum, { first, end }) => sum + Number(end - first), 0);
  const wanted = Math.min(available, SAMPLED_RECORDS);
  const values: (Buffer | null)[] = [];
  if (wanted === 0) return values;
  const consumer = kafka.consumer({ groupId: `${groupId}-doctor-${randomUUID()}`, retry: { retries: 0 } });
  const sampled = Promise.withResolvers<void>();
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => sampled.reject(error));
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        if (values.length < wanted) values.push(message.value);
        if (values.length === wanted) sampled.resolve();
      },
    });
    for (const { partition, first } of ranges) consumer.seek({ topic, partition, offset: String(first) });
    // Fewer records arrive if the last offsets belong to aborted transactions or if compaction has removed records.
    await Promise.race([sampled.promise, delay(MAX_SAMPLING_MILLISECONDS, undefined, { ref: false })]);
  } finally {
    await consumer.disconnect().catch(() => {});
  }
  return values;
}

/** Checks a topic's last records in the same way as ingest and `milepost validate`. */
async function checkRecords(kafka: Kafka, admin: Admin, config: KafkaConfig, topic: string): Promise<Finding> {
  const check = `records of ${topic}`;
  try {
    const values = await sampleRecords(kafka, admin, config.groupId, topic);
    if (values.length === 0) return { check, result: 'skipped', message: 'The topic has no records yet.' };
    const faults = values.flatMap((value) => {
      const prepared = readRecord(value, Date.now());
      return prepared.storable ? [] : [prepared.refusal.message];
    });
    const message = `Ingest would store the last ${values.length} records.`;
    const fault = `Ingest would refuse ${faults.length} of the last ${values.length} records. The first: ${faults[0]}`;
    return judge(check, faults.length === 0, message, fault, 'warning');
  } catch (error) {
    return { check, result: 'skipped', message: `A sample of the records cannot be read: ${causeOf(error)}.` };
  }
}

async function checkTopic(kafka: Kafka, admin: Admin, config: KafkaConfig, topic: string): Promise<Finding[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const partitions = topics[0]?.partitions.length ?? 0;
  const message = `The topic has ${counted(partitions, 'partition')}. Each is read by only one ingest process at a time.`;
  const found: Finding = { check: `topic ${topic}`, result: 'passed', message };
  return [found, ...(await checkConfiguration(admin, topic)), await checkRecords(kafka, admin, config, topic)];
}

/** Checks whether this client may see ingest's consumer group. READ is sufficient for this. */
async function checkGroup(admin: Admin, config: KafkaConfig): Promise<Finding> {
  const check = `group ${config.groupId}`;
  try {
    await admin.describeGroups([config.groupId]);
  } catch (error) {
    const cause = await findGroupError(error, config);
    // The first request about a group makes the brokers load it.
    if (!isCoordinatorLoading(cause)) return toFinding(check, findingOf(cause, config));
  }
  return { check, result: 'passed', message: 'This client sees the consumer group.' };
}

/** Connects to Kafka with ingest's settings, and checks the topics, their configuration and their last records. */
export async function checkKafka(config: KafkaConfig): Promise<Finding[]> {
  const kafka = createKafkaClient(config, createLogger('doctor', 'silent'));
  const admin = kafka.admin({ retry: { retries: 1 } });
  try {
    await admin.connect();
    const message = `The brokers at ${config.brokers.join(', ')} respond.`;
    const findings: Finding[] = [{ check: 'connection', result: 'passed', message }, await checkGroup(admin, config)];
    const visible = new Set(await admin.listTopics());
    for (const topic of [config.tripsTopic, config.driversTopic]) {
      if (visible.has(topic)) findings.push(...(await checkTopic(kafka, admin, config, topic)));
      else findings.push({ check: `topic ${topic}`, result: 'warning', message: INVISIBLE_TOPIC });
    }
    return findings;
  } catch (error) {
    return [toFinding('connection', findingOf(error, config))];
  } finally {
    await admin.disconnect().catch(() => {});
  }
}
