import { setTimeout as delay } from 'node:timers/promises';
import { readKafkaConfig } from '@milepost/kafka/config';
import { inSnapshot } from '@milepost/postgres';
import { readHealth } from '@milepost/status/log-status';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { checkKafka } from '../../apps/cli/doctor/kafka.ts';
import { advanceClock } from '../support/advance-clock.ts';
import { perSuite, perTest, untilTestEnds } from '../support/fixtures.ts';
import { describeWithOwnBroker } from '../support/own-broker-suite.ts';
import { openPipeline } from '../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { startIngest } from '../support/running-ingest.ts';
import { CLIENT, LOGIN, startSecuredKafka } from '../support/services/kafka/secured.ts';
import { asAdministrator, Topics, toMessage } from '../support/topics.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ConfigResourceTypes, ResourcePatternTypes } = kafkajs;

/** A permission, such as READ on a topic. */
type Permission = [operation: 'READ' | 'DESCRIBE' | 'DESCRIBE_CONFIGS', type: 'TOPIC' | 'GROUP', name: string];

const SETTINGS = { KAFKA_SASL_USERNAME: LOGIN.username, KAFKA_SASL_PASSWORD: LOGIN.password };

describeWithOwnBroker('ingest from a broker', () => {
  const kafka = perSuite(startSecuredKafka);
  const topics = perTest(() => Topics.create([kafka.address.plaintext]));
  const log = perTest(() => openPipeline([]));

  /** Grants permissions to a user. */
  async function grant(name: string, permissions: readonly Permission[]): Promise<void> {
    const acl = permissions.map(([operation, type, resourceName]) => ({
      principal: `User:${name}`,
      host: '*',
      operation: AclOperationTypes[operation],
      permissionType: AclPermissionTypes.ALLOW,
      resourceType: AclResourceTypes[type],
      resourceName,
      resourcePatternType: ResourcePatternTypes.LITERAL,
    }));
    await asAdministrator(topics.kafka, async (admin) => await admin.createAcls({ acl }));
  }

  const all = (): Permission[] => [
    ['READ', 'GROUP', topics.groupId],
    ['READ', 'TOPIC', topics.names.trips],
    ['READ', 'TOPIC', topics.names.drivers],
  ];
  const give = async (...permissions: Permission[]) => await grant(LOGIN.username, permissions);
  const tls = () => ({ KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: kafka.authority.file });

  function start(listener: keyof typeof kafka.address = 'login', settings: Record<string, string> = SETTINGS) {
    return untilTestEnds(startIngest(log, { ...topics.settings([kafka.address[listener]]), ...settings })).lines;
  }

  async function publish(source_trip_id = 'first'): Promise<void> {
    const records = [tripProcessed({ source_trip_id }), driverProfile()];
    await topics.publish(records.map((record) => toMessage(record)));
  }

  const kinds = async () => {
    const { rows } = await log.owner.query<{ kind: number }>('SELECT kind FROM stored_event ORDER BY kind');
    return rows.map(({ kind }) => kind);
  };
  const findings = async () =>
    (await inSnapshot(log.operator, readHealth)).kafka_findings.map(({ topic, code, severity, message }) => {
      return { topic, code, severity, message };
    });

  const certified = () => ({
    ...tls(),
    KAFKA_SSL_CERT_FILE: kafka.client.cert,
    KAFKA_SSL_KEY_FILE: kafka.client.key,
  });
  const oauth = () => ({
    KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
    KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: kafka.tokens.tokenEndpoint,
    KAFKA_SASL_OAUTHBEARER_CLIENT_ID: CLIENT.id,
    KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: CLIENT.secret,
    KAFKA_SASL_OAUTHBEARER_SCOPE: 'trips',
  });

  it.each([
    ['at an IPv6 address', 'ipv6', 'ANONYMOUS', () => ({})],
    ['that requires a client certificate', 'mutualTls', 'CN=milepost', certified],
    ['that accepts tokens, beyond the lifetime of the first token', 'oauth', CLIENT.id, oauth],
  ] as const)('reads from one %s', async (_what, listener, name, settings) => {
    await grant(name, all());
    const lines = start(listener, settings());
    await publish();
    await expect.poll(kinds).toEqual([1, 3]);
    if (name !== CLIENT.id) return;
    const { issued } = kafka.tokens;
    const before = issued.length;
    // By the time two new tokens have been issued, the first token has expired. Without a new token, the broker would
    // close the connection.
    await expect.poll(() => issued.length).toBeGreaterThanOrEqual(before + 2);
    await publish('second');
    await expect.poll(kinds).toEqual([1, 1, 3]);
    expect(new Set(issued)).toEqual(new Set(['trips']));
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  describe('without a permission', () => {
    it('is reported by the doctor before the first start', async () => {
      const config = readKafkaConfig({ ...topics.settings([kafka.address.login]), ...SETTINGS });
      const faults = async () =>
        (await checkKafka(config))
          .filter(({ result }) => result !== 'passed')
          .map(({ check, result }) => [check, result]);
      const { trips, drivers } = topics.names;
      expect(await faults()).toEqual([
        [`group ${topics.groupId}`, 'failed'],
        [`topic ${trips}`, 'warning'],
        [`topic ${drivers}`, 'warning'],
      ]);
      await give(...all());
      const unsure = [trips, drivers].flatMap((topic) => [`configuration of ${topic}`, `records of ${topic}`]);
      await expect.poll(faults).toEqual(unsure.map((check) => [check, 'skipped']));
    });

    it('to read one topic reads the other, names the denied topic, and resumes once it is granted', async () => {
      const [group, , drivers] = all();
      if (group && drivers) await give(group, drivers, ['DESCRIBE', 'TOPIC', topics.names.trips]);
      const lines = start();
      await publish();
      await expect.poll(kinds).toEqual([3]);
      const message = `The login "alice" lacks the READ permission on topic "${topics.names.trips}". Grant it.`;
      const denied = { topic: topics.names.trips, code: 'topic_denied', severity: 'error', message };
      await expect.poll(findings).toEqual([denied]);
      await expect.poll(() => lines.map(({ reason }) => reason)).toContain(message);
      expect(lines.map(({ message: said }) => said)).not.toContainEqual(expect.stringContaining('crash'));

      await give(...all());
      advanceClock(61_000);
      await expect.poll(kinds).toEqual([1, 3]);
      await expect.poll(findings).toEqual([]);
    });

    it('to read both topics names both', async () => {
      const [group] = all();
      if (group) await give(group);
      const lines = start();
      await expect.poll(findings).toMatchObject([{ topic: topics.names.drivers }, { topic: topics.names.trips }]);
      // Ingest retries, but logs each cause only once.
      await delay(1_000);
      expect(lines.filter(({ level }) => level >= 50)).toHaveLength(2);
    });

    it('for the group names the group', async () => {
      const [, trips, drivers] = all();
      if (trips && drivers) await give(trips, drivers);
      const lines = start();
      const message = `The login "alice" lacks the READ permission on consumer group "${topics.groupId}". Grant it.`;
      await expect.poll(findings).toEqual([{ topic: null, code: 'group_denied', severity: 'error', message }]);
      expect(lines.filter(({ level }) => level >= 50)).toMatchObject([{ reason: message }]);
      await give(...all());
      await publish();
      await expect.poll(kinds).toEqual([1, 3]);
      await expect.poll(findings).toEqual([]);
    });

    it('to read the configuration of topics still reads their records, and warns about compaction later', async () => {
      await setPolicy('compact');
      await give(...all());
      const lines = start();
      await publish();
      await expect.poll(kinds).toEqual([1, 3]);
      expect(await findings()).toEqual([]);

      await give(['DESCRIBE_CONFIGS', 'TOPIC', topics.names.trips]);
      advanceClock(61_000);
      const message = `Topic "${topics.names.trips}" has cleanup.policy=compact. Kafka keeps only the last record for each key, so it removes a driver's trips before they are read. Set cleanup.policy=delete.`;
      const warning = { topic: topics.names.trips, code: 'topic_compacted', severity: 'warning', message };
      await expect.poll(findings).toEqual([warning]);
      expect(lines.filter(({ level }) => level >= 40)).toMatchObject([{ topic: topics.names.trips, reason: message }]);

      await setPolicy('delete');
      advanceClock(122_000);
      await expect.poll(findings).toEqual([]);
    });

    async function setPolicy(value: string): Promise<void> {
      const configEntries = [
        { name: 'cleanup.policy', value },
        // A compacted topic rejects records without a key. The test's other topics have the same size limit.
        { name: 'max.message.bytes', value: '20971520' },
      ];
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topics.names.trips, configEntries }];
      await asAdministrator(
        topics.kafka,
        async (admin) => await admin.alterConfigs({ validateOnly: false, resources }),
      );
    }

    it.each([
      ['TLS on a plain port', 'plaintext', tls, /This port probably does not expect TLS/],
      ['no TLS on a port for TLS', 'tls', () => ({}), /this port expects TLS, so set KAFKA_SSL=true/],
      ['an unknown authority', 'tls', () => ({ KAFKA_SSL: 'true' }), /Set KAFKA_SSL_CA_FILE/],
      ['no client certificate', 'mutualTls', tls, /set KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE/],
      ['no login', 'login', () => ({}), /If this port expects TLS.* If it expects a login, set KAFKA_SASL_MECHANISM/],
      [
        'a wrong password',
        'login',
        () => ({ ...SETTINGS, KAFKA_SASL_PASSWORD: 'wrong' }),
        /^(?!.*wrong).*Check the KAFKA_SASL_/,
      ],
      [
        'another mechanism',
        'login',
        () => ({ ...SETTINGS, KAFKA_SASL_MECHANISM: 'scram-sha-512' }),
        /Set KAFKA_SASL_MECHANISM to a mechanism/,
      ],
      ['a login on a plain port', 'plaintext', () => SETTINGS, /This port does not expect a login/],
    ] as const)('names the setting: %s', async (_, listener, settings, message) => {
      start(listener, settings());
      await expect
        .poll(findings)
        .toMatchObject([{ topic: null, code: 'connection_failed', message: expect.stringMatching(message) }]);
      const [{ message: text = '' } = {}] = await findings();
      expect(text).toMatch(/^Kafka at 127\.0\.0\.1:\d+ cannot be read: [^\n]{5,300}$/);
    });
  });
});
