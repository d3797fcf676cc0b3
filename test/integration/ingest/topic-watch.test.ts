import { readKafkaConfig } from '@milepost/kafka/config';
import { addKafkaFinding } from '@milepost/kafka/findings';
import { type backoffMilliseconds, inSnapshot, type Pool } from '@milepost/postgres';
import { readHealth } from '@milepost/status/log-status';
import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { beforeEach, expect, it, vi } from 'vitest';
import { runKafkaIngest } from '../../../apps/ingest/kafka/run.ts';
import { TopicsChangedError, TopicWatch } from '../../../apps/ingest/kafka/topic-watch.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithLog, describeWithOwnLog } from '../../support/pipeline-suites.ts';
import { recordedLog } from '../../support/recorded-log.ts';
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

const watchOf = (pool: Pool) => new TopicWatch({ pool, config: CONFIG, logger: pino({ level: 'silent' }) });

/** The topic and the code of each finding. */
const findingsIn = async (pool: Pool) =>
  (await inSnapshot(pool, readHealth)).kafka_findings.map(({ topic, code }) => [topic, code]);

describeWithLog('a topic that this client may not read', (log) => {
  let watch: TopicWatch;
  let passed: number;
  beforeEach(async () => {
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now');
    // The process has run for an hour.
    passed = 3_600_000;
    clock.mockImplementation(() => now() + passed);
    watch = watchOf(log.ingest);
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
    const watch = watchOf(log.ingest);
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

const [info, error, debug] = [30, 50, 20];
const LOADING = "The group's coordinator is loading: retrying.";
const OUTAGE = 'Cannot read from Kafka: retrying.';

const loading = () => Object.assign(new Error('The group is loading'), { type: 'GROUP_LOAD_IN_PROGRESS' });

describeWithOwnLog('an outage of Kafka', (log) => {
  const findings = async () => (await inSnapshot(log.operator, readHealth)).kafka_findings;

  /** Runs ingest and makes its attempts to read from Kafka fail with `errors`. Returns the lines that it logs. */
  async function fail(errors: readonly Error[], backoff?: typeof backoffMilliseconds) {
    const { logger, lines } = recordedLog<{ level: number; message: string }>();
    const stop = new AbortController();
    const next = errors.values();
    const openLanes = async () => {
      for (const error of next) throw error;
      stop.abort();
      throw new Error('ended');
    };
    const config = readKafkaConfig({ KAFKA_BROKERS: 'localhost:9092' });
    await runKafkaIngest({ pool: log.ingest, openLanes, config, logger, signal: stop.signal }, backoff);
    return lines.map(({ level, message }) => ({ level, message }));
  }

  it("is logged once as an error, even if it begins while the group's coordinator is loading", async () => {
    await addKafkaFinding(log.ingest, { topic: null, code: 'group_denied', isWarning: false, message: 'Earlier.' });
    const away = new Error('The broker is away');
    expect(await fail([loading(), loading(), away, away])).toEqual([
      { level: info, message: LOADING },
      { level: info, message: LOADING },
      { level: error, message: OUTAGE },
      { level: debug, message: OUTAGE },
    ]);
    expect((await findings()).map((finding) => finding.message).sort()).toEqual([
      'Earlier.',
      'Kafka at localhost:9092 cannot be read: The broker is away.',
    ]);
  });

  it('is logged as an error when the tenth attempt finds the coordinator loading, and attempts slow down', async () => {
    const backoff = vi.fn(() => 0);
    const lines = await fail(Array.from({ length: 12 }, loading), backoff);
    expect(lines).toEqual([
      ...Array.from({ length: 9 }, () => ({ level: info, message: LOADING })),
      { level: error, message: OUTAGE },
      { level: debug, message: OUTAGE },
      { level: debug, message: OUTAGE },
    ]);
    expect(backoff.mock.calls).toEqual(Array.from({ length: 12 }, (_, failures) => [failures]));
    expect(await findings()).toMatchObject([{ topic: null, code: 'connection_failed' }]);
  });

  it('is not reported if ingest stops while it is waiting for the list of lanes', async () => {
    expect(await fail([])).toEqual([]);
    expect(await findings()).toEqual([]);
  });
});
