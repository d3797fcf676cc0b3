import { readHeadPosition } from '@milepost/event-log';
import { expect, it, onTestFinished } from 'vitest';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { describeWithOwnBroker } from '../../support/own-broker-suite.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { startIngest } from '../../support/running-ingest.ts';
import { grant, type Permission } from '../../support/services/kafka/permissions.ts';
import { CLIENT, startSecuredKafka } from '../../support/services/kafka/secured.ts';
import { Topics } from '../../support/topics.ts';

describeWithOwnBroker('ingest reads from a broker', () => {
  const kafka = perSuite(startSecuredKafka);

  const mutualTls = () => ({
    KAFKA_SSL: 'true',
    KAFKA_SSL_CA_FILE: kafka.authority.file,
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

  /** Runs ingest with `settings` on separate topics, which the principal may read. */
  async function open(address: string, principal: string, settings: Record<string, string>) {
    const topics = untilTestEnds(await Topics.create([kafka.address.plain]));
    const log = untilTestEnds(await openPipeline([]));
    const permissions = Object.values(topics.names).map((name): Permission => ['READ', 'TOPIC', name]);
    await grant(kafka.address.plain, principal, [...permissions, ['READ', 'GROUP', topics.groupId]]);
    const ingest = startIngest(log, { ...topics.settings([address]), ...settings });
    onTestFinished(ingest.stop);
    let published = 0;
    const publish = async () => {
      published += 1;
      const value = JSON.stringify(tripProcessed({ source_trip_id: `trip-${published}` }));
      await topics.publish([{ topic: 'trips', key: 'acme/driver', value, broken: false }]);
    };
    const stored = async () => await readHeadPosition(log.owner);
    return { publish, stored, lines: ingest.lines };
  }

  it.each([
    ['at an IPv6 address', () => kafka.address.ipv6, 'User:ANONYMOUS', () => ({})],
    ['that requires a client certificate', () => kafka.address.mutualTls, 'User:CN=milepost', mutualTls],
  ])('%s', async (_, address, principal, settings) => {
    const { publish, stored } = await open(address(), principal, settings());
    await publish();
    await expect.poll(stored).toBe(1);
  });

  it('that accepts tokens, beyond the lifetime of the first token', async () => {
    const { publish, stored, lines } = await open(kafka.address.oauth, `User:${CLIENT.id}`, oauth());
    await publish();
    await expect.poll(stored).toBe(1);
    const before = kafka.tokens.issued.length;
    // By the time two new tokens have been issued, the first token has expired. Without a new token, the broker would
    // close the connection.
    await expect.poll(() => kafka.tokens.issued.length).toBeGreaterThanOrEqual(before + 1);
    await expect.poll(() => kafka.tokens.issued.length).toBeGreaterThanOrEqual(before + 2);
    await publish();
    await expect.poll(stored).toBe(2);
    expect(new Set(kafka.tokens.issued)).toEqual(new Set(['trips']));
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });
});
