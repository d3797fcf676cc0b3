import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { diagnose, faults } from '../support/doctor.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka, describeWithPostgres, describeWithRedis, needsService } from '../support/service-suites.ts';
import { administer, databaseUrl } from '../support/template.ts';
import { createTopics, Topics } from '../support/topics.ts';

async function databaseOfTest(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return database.url;
}

describeWithPostgres('milepost doctor', (serverUrl) => {
  it('finds nothing wrong with a migrated database, and prints one line per check', async () => {
    const { code, stdout } = await run(['doctor'], { DATABASE_URL: await databaseOfTest() });
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(line).toMatch(/^(passed|warning|skipped) +(Machine|PostgreSQL), .+: .+\.$/);
  });

  it('fails for a database without the schema, and names the command that creates it', async () => {
    const name = `doctor_${randomBytes(6).toString('hex')}`;
    await administer(serverUrl, [`CREATE DATABASE ${name}`]);
    onTestFinished(async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]));
    const report = await diagnose({ DATABASE_URL: databaseUrl(serverUrl, name) });
    expect(report).toMatchObject({ ok: false, code: 1 });
    expect(faults(report, 'PostgreSQL').join('\n')).toContain('run `milepost migrate`');
    expect(report.stderr).toMatch(/^milepost: \d+ of \d+ checks failed\.\n$/);
  });

  it('fails for an encoding other than UTF-8', async () => {
    const name = `doctor_${randomBytes(6).toString('hex')}`;
    await administer(serverUrl, [
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    ]);
    onTestFinished(async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]));
    const report = await diagnose({ DATABASE_URL: databaseUrl(serverUrl, name) });
    expect(report.ok).toBe(false);
    expect(faults(report, 'PostgreSQL')).toEqual([expect.stringMatching(/^failed encoding: .*LATIN1.*UTF8/)]);
  });

  it('fails when no server answers, reports why, and reports the checks of the other programs', async () => {
    const report = await diagnose({ DATABASE_URL: 'postgres://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' });
    expect(report.code).toBe(1);
    expect(faults(report, 'PostgreSQL')).toEqual([
      expect.stringMatching(/^failed connection: .*Check DATABASE_URL\.$/),
    ]);
    expect(faults(report, 'Redis')).toEqual([
      expect.stringMatching(/^failed connection: .*ECONNREFUSED.*Check REDIS_URL\.$/),
    ]);
    expect([...new Set(report.checks.map(({ subject }) => subject))]).toEqual(['Machine', 'PostgreSQL', 'Redis']);
    const text = await run(['doctor'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    const lines = report.checks.map(({ subject, check, result }) => `${result.padEnd(7)}  ${subject}, ${check}: `);
    expect(text.stdout.trimEnd().split('\n')).toEqual(lines.map((line) => expect.stringContaining(line)));
    expect(text).toMatchObject({ code: 1, stderr: report.stderr });
  });
});

describeWithPostgres('milepost doctor with a standby', () => {
  it('checks the standby too, and fails when only the standby fails', async () => {
    const DATABASE_URL = await databaseOfTest();
    const report = await diagnose({ DATABASE_URL, DATABASE_URL_READ: 'postgres://127.0.0.1:1/none' });
    expect(report).toMatchObject({ ok: false, code: 1 });
    expect(faults(report, 'PostgreSQL').filter((fault) => fault.startsWith('failed'))).toEqual([]);
    expect(faults(report, 'Standby')).toEqual([expect.stringMatching(/^failed connection: .*DATABASE_URL_READ/)]);
    const failed = report.checks.filter(({ result }) => result === 'failed').length;
    expect(report.stderr).toBe(`milepost: ${failed} of ${report.checks.length} checks failed.\n`);
  });
});

describeWithRedis('milepost doctor with Redis', (redisUrl) => {
  it('checks the version, the role and the eviction of keys', needsService('postgres'), async () => {
    const report = await diagnose({ DATABASE_URL: await databaseOfTest(), REDIS_URL: redisUrl });
    const redis = report.checks.filter(({ subject }) => subject === 'Redis');
    expect(redis.map(({ check, result }) => `${check}: ${result}`)).toEqual([
      'version: passed',
      'role: passed',
      'eviction: passed',
    ]);
  });
});

describeWithKafka('milepost doctor with Kafka', (brokers) => {
  it('reads the last records of each topic, and disturbs no consumer of ingest', async () => {
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    const producer = topics.kafka.producer();
    await producer.connect();
    const values = [JSON.stringify(tripProcessed()), '{"kind":"trip.processed"}'];
    await producer.send({ topic: topics.names.trips, messages: values.map((value) => ({ value, partition: 1 })) });
    await producer.disconnect();
    const settings = { ...topics.settings(brokers), DATABASE_URL: await databaseOfTest() };
    const report = await diagnose(settings);
    expect(report.ok).toBe(true);
    expect(faults(report, 'Kafka')).toEqual([
      expect.stringMatching(/^warning records of trips-.*: Ingest would refuse 1 of the last 2 records\. The first: /),
      expect.stringMatching(/^skipped records of drivers-.*: The topic has no records yet\.$/),
    ]);
    const admin = topics.kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    expect(groups.map(({ groupId }) => groupId)).not.toContain(topics.groupId);
  });

  it('warns of a topic that is compacted', async () => {
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    const compacted = `${topics.names.trips}-compacted`;
    const configEntries = [{ name: 'cleanup.policy', value: 'compact' }];
    await createTopics(topics.kafka, [{ topic: compacted, numPartitions: 1, configEntries }]);
    const settings = {
      ...topics.settings(brokers),
      KAFKA_TRIPS_TOPIC: compacted,
      DATABASE_URL: await databaseOfTest(),
    };
    const report = await diagnose(settings);
    expect(faults(report, 'Kafka').join('\n')).toContain('cleanup.policy=compact');
  });
});
