import { readKafkaConfig } from '@milepost/kafka/config';
import { inSnapshot, type Pool } from '@milepost/postgres';
import { readHealth } from '@milepost/status/log-status';
import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { beforeEach, expect, it, vi } from 'vitest';
import { TopicsChangedError, TopicWatch } from '../../../apps/ingest/kafka/topic-watch.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const CHECK_MILLISECONDS = 60_000;
const BOTH = ['trips', 'drivers'];

const CONFIG = readKafkaConfig({
  KAFKA_BROKERS: 'localhost:9092',
  KAFKA_TRIPS_TOPIC: 'trips',
  KAFKA_DRIVERS_TOPIC: 'drivers',
});

/** Brokers that show both topics, but not their configurations. */
const ADMIN = {
  listTopics: async () => BOTH,
  createTopics: async () => await Promise.reject(new Error('No topic is missing.')),
  fetchTopicMetadata: async () => await Promise.reject(new Error('No topic is created.')),
  describeConfigs: async () => await Promise.reject(new Error('TOPIC_AUTHORIZATION_FAILED')),
};

/** The topic and the code of each finding. */
const findingsIn = async (pool: Pool) =>
  (await inSnapshot(pool, readHealth)).kafka_findings.map(({ topic, code }) => [topic, code]);

describeWithPostgres('a topic that this client may not read', () => {
  const log = perSuite(() => openPipeline([]));
  let watch: TopicWatch;
  let passed: number;
  beforeEach(async () => {
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now');
    // The process has run for an hour.
    passed = 3_600_000;
    clock.mockImplementation(() => now() + passed);
    watch = new TopicWatch({ pool: log.ingest, config: CONFIG, logger: pino({ level: 'silent' }) });
    return () => clock.mockRestore();
  });

  const findings = async () => await findingsIn(log.operator);

  /** Acts as a consumer whose fetch from the trips topic was denied. */
  async function denyTrips(): Promise<void> {
    expect(await watch.prepare(ADMIN)).toEqual(BOTH);
    watch.deny('trips');
  }

  /** Acts as a consumer that reads until the next check. Returns the topics that it reads. */
  async function readUntilCheck(): Promise<string[]> {
    const topics = await watch.prepare(ADMIN);
    await watch.report();
    await watch.check(ADMIN);
    return topics;
  }

  /** Lets a minute pass, and then acts as a new consumer that tries to read all topics. */
  async function tryAgain(): Promise<void> {
    passed += CHECK_MILLISECONDS;
    await expect(watch.check(ADMIN)).rejects.toThrow(TopicsChangedError);
    expect(await watch.prepare(ADMIN)).toEqual(BOTH);
  }

  it('is left out and reported after each attempt to read it for as long as it is denied', async () => {
    await denyTrips();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await readUntilCheck()).toEqual(['drivers']);
      expect(await findings()).toEqual([['trips', 'topic_denied']]);
      // Even if the consumer ends for a different reason, the next consumer does not try the denied topic.
      expect(await readUntilCheck()).toEqual(['drivers']);
      await tryAgain();
      watch.deny('trips');
    }
  });

  it('is read by a later consumer, and no longer reported once that consumer has read it', async () => {
    await denyTrips();
    await readUntilCheck();
    await tryAgain();
    await watch.report();
    expect(await findings()).toEqual([['trips', 'topic_denied']]);
    await watch.check(ADMIN);
    expect(await findings()).toEqual([]);
    expect(await watch.prepare(ADMIN)).toEqual(BOTH);
  });

  it('is read by a new consumer once a check sees it, although the brokers hid it from earlier consumers', async () => {
    const refused = new kafkajs.KafkaJSAggregateError('Topic creation errors', [new Error('It is not authorized.')]);
    let visible = ['drivers'];
    const admin = {
      ...ADMIN,
      listTopics: async () => visible,
      createTopics: async () => await Promise.reject(refused),
    };
    expect(await watch.prepare(admin)).toEqual(['drivers']);
    await watch.report();
    expect(await findings()).toEqual([['trips', 'topic_denied']]);
    passed += CHECK_MILLISECONDS;
    await watch.check(admin);
    visible = BOTH;
    passed += CHECK_MILLISECONDS;
    await expect(watch.check(admin)).rejects.toThrow(TopicsChangedError);
    expect(await findings()).toEqual([]);
    expect(await watch.prepare(admin)).toEqual(BOTH);
    passed += CHECK_MILLISECONDS;
    await watch.check(admin);
  });
});

describeWithPostgres('a topic with an unsuitable configuration', () => {
  it('is reported with only its current fault', async () => {
    const log = untilTestEnds(await openPipeline([]));
    let configuration = { 'cleanup.policy': 'compact', 'retention.ms': '604800000' };
    const admin = {
      ...ADMIN,
      describeConfigs: async () => {
        const configEntries = Object.entries(configuration).map(([configName, configValue]) => ({
          ...{ configName, configValue, configSource: 1, isDefault: false, isSensitive: false, readOnly: false },
          configSynonyms: [],
        }));
        const resource = { configEntries, errorCode: 0, errorMessage: '', resourceName: 'trips', resourceType: 2 };
        return { resources: [resource], throttleTime: 0 };
      },
    };
    const watch = new TopicWatch({ pool: log.ingest, config: CONFIG, logger: pino({ level: 'silent' }) });
    const reported = async () => {
      await watch.prepare(admin);
      await watch.report();
      return await findingsIn(log.operator);
    };
    expect(await reported()).toEqual([
      ['drivers', 'topic_compacted'],
      ['trips', 'topic_compacted'],
    ]);
    configuration = { 'cleanup.policy': 'delete', 'retention.ms': '3600000' };
    expect(await reported()).toEqual([
      ['drivers', 'topic_retention_short'],
      ['trips', 'topic_retention_short'],
    ]);
    configuration = { 'cleanup.policy': 'delete', 'retention.ms': '604800000' };
    expect(await reported()).toEqual([]);
  });
});
