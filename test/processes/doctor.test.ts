import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLES } from '@milepost/postgres';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { checkMachine } from '../../apps/cli/doctor/machine.ts';
import { checkPostgres, checkStandby } from '../../apps/cli/doctor/postgres.ts';
import { checkRedis } from '../../apps/cli/doctor/redis.ts';
import { run } from '../support/command.ts';
import { asStranger, createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';
import { numberedTrips, tripProcessed } from '../support/records.ts';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';
import { startLocalPostgres } from '../support/services/local/index.ts';
import { startLocalRedis } from '../support/services/local/redis.ts';
import { administer } from '../support/template.ts';
import { asAdministrator, createTopics, sendTo, Topics } from '../support/topics.ts';

/** The output of `milepost doctor --json`. */
interface Report {
  ok: boolean;
  checks: { subject: string; check: string; result: string; message: string }[];
}

/** Runs `milepost doctor --json`. */
async function diagnose(settings: Record<string, string>): Promise<Report & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await run(['doctor', '--json'], settings);
  return { ...JSON.parse(stdout), code, stderr };
}

/** Returns a subject's checks that did not pass, each as `result check: message`. */
function faults(report: Report, subject: string): string[] {
  return linesOf(report, subject).filter((line) => !line.startsWith('passed '));
}

/** Returns all of a subject's checks, each as `result check: message`. */
function linesOf({ checks }: Report, subject: string): string[] {
  return textsOf(checks.filter((each) => each.subject === subject));
}

const textsOf = (findings: readonly Omit<Report['checks'][number], 'subject'>[]) =>
  findings.map(({ result, check, message }) => `${result} ${check}: ${message}`);

const databaseOfTest = async () => untilTestEnds(await createTestDatabase()).url;

/** The checks for a migrated database in which every role is allowed to act. */
const SESSIONS = [
  ['api, lane', ROLES.api],
  ['api, directory', ROLES.api],
  ['ingest, lane', ROLES.ingest],
  ['projector, lane', ROLES.projector],
  ['ops, lane', ROLES.operator],
  ['ops, directory', ROLES.operator],
  ['ops, lane', ROLES.eraser],
].map(([where, role]) => `passed session (${where}): The schema, the role and the privileges of ${role} are correct.`);

describeWithPostgres('milepost doctor', (serverUrl) => {
  /** A server without Milepost's roles and schema. */
  const other = perSuite(startLocalPostgres);

  it.each([
    ['without the schema', '', 'run `milepost migrate`'],
    ['with another encoding', "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0", 'LATIN1'],
  ])('fails for a database %s, and names the remedy', async (_what, options, remedy) => {
    const report = await diagnose({ DATABASE_URL: await createEmptyDatabase(serverUrl, options) });
    expect(report).toMatchObject({ ok: false, code: 1 });
    expect(faults(report, 'PostgreSQL').join('\n')).toContain(remedy);
    expect(report.stderr).toMatch(/^milepost: \d+ of \d+ checks failed\.\n$/);
  });

  it('fails if no server responds, reports why, and reports the checks of the other programs', async () => {
    const settings = { DATABASE_URL: 'postgres://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };
    const report = await diagnose(settings);
    expect(report.code).toBe(1);
    expect(faults(report, 'PostgreSQL')).toEqual([
      expect.stringMatching(/^failed connection: .*Check DATABASE_URL\.$/),
    ]);
    expect(faults(report, 'Redis')).toEqual([
      expect.stringMatching(/^failed connection: .*ECONNREFUSED.*Check REDIS_URL\.$/),
    ]);
    expect([...new Set(report.checks.map(({ subject }) => subject))]).toEqual(['Machine', 'PostgreSQL', 'Redis']);
    const text = await run(['doctor'], settings);
    const lines = report.checks.map(({ subject, check, result }) => `${result.padEnd(7)}  ${subject}, ${check}: `);
    expect(text.stdout.trimEnd().split('\n')).toEqual(lines.map((line) => expect.stringContaining(line)));
    expect(text).toMatchObject({ code: 1, stderr: report.stderr });
  });

  it('also checks the standby, and fails even if only the standby fails', async () => {
    const DATABASE_URL = await databaseOfTest();
    const report = await diagnose({ DATABASE_URL, DATABASE_URL_READ: 'postgres://127.0.0.1:1/none' });
    expect(report).toMatchObject({ ok: false, code: 1 });
    expect(faults(report, 'PostgreSQL').filter((fault) => fault.startsWith('failed'))).toEqual([]);
    expect(faults(report, 'Standby')).toEqual([expect.stringMatching(/^failed connection: .*DATABASE_URL_READ/)]);
    const failed = report.checks.filter(({ result }) => result === 'failed').length;
    expect(report.stderr).toBe(`milepost: ${failed} of ${report.checks.length} checks failed.\n`);
  });

  it('checks the server, the pool mode, the clock, and each role in each part that it uses', async () => {
    expect(textsOf(await checkPostgres(await databaseOfTest()))).toEqual([
      'passed version: Configured as Milepost requires.',
      'passed encoding: Configured as Milepost requires.',
      'passed pool mode: Configured as Milepost requires.',
      expect.stringMatching(/^passed clock: The clocks of this machine and PostgreSQL differ by [01]\.\d s\.$/),
      ...SESSIONS,
    ]);
  });

  it('skips roles in which a login may not act, and names the process whose settings it needs', async () => {
    const owner = await databaseOfTest();
    const url = new URL(await asStranger(owner));
    await administer(owner, [
      `GRANT ${ROLES.ingest} TO ${url.username} WITH INHERIT FALSE, SET TRUE`,
      `GRANT CONNECT ON DATABASE "${url.pathname.slice(1)}" TO ${url.username}`,
    ]);
    expect(textsOf(await checkPostgres(url.href)).slice(4)).toEqual(
      SESSIONS.map((line) => {
        const [, where = '', process = ''] = /\((([a-z]+), [a-z]+)\)/.exec(line) ?? [];
        if (process === 'ingest') return line;
        return expect.stringMatching(
          new RegExp(
            `^skipped session \\(${where}\\): This login is not allowed to act as milepost_\\w+: repeat the check with the DATABASE_URL of ${process}\\.$`,
          ),
        );
      }),
    );
  });

  // If these checks were skipped, nobody would see that the server was never migrated.
  it('fails for each role on a server that was never migrated', async () => {
    const sessions = (await checkPostgres(other.address)).slice(4);
    expect(sessions.map(({ result }) => result)).toEqual(SESSIONS.map(() => 'failed'));
  });

  it("recognizes another server's standby, and a replay that a reader can delay for five seconds", async () => {
    const primary = await databaseOfTest();
    expect(textsOf(await checkStandby(primary, primary))).toEqual([
      'passed connection: The server is a standby of the server in DATABASE_URL.',
      expect.stringMatching(
        /^warning replay delay: max_standby_streaming_delay is 30s, so .*: set it to 1s on the standby\.$/,
      ),
      'passed session (api, lane): The schema, the role and the privileges of milepost_api are correct.',
    ]);
    for (const [delay, result] of [
      ['4999ms', 'passed'],
      ['5s', 'warning'],
      ['-1', 'warning'],
      ['0', 'passed'],
    ] as const) {
      await administer(other.address, [
        `ALTER SYSTEM SET max_standby_streaming_delay = '${delay}'`,
        'SELECT pg_reload_conf()',
      ]);
      const findings = async () => textsOf(await checkStandby(other.address, primary)).slice(0, 2);
      await expect
        .poll(findings)
        .toEqual([
          'failed connection: The server is a standby of a different server from the one in DATABASE_URL: correct DATABASE_URL_READ.',
          expect.stringMatching(new RegExp(`^${result} replay delay: max_standby_streaming_delay is ${delay}[.,]`)),
        ]);
    }
  });
});

it.runIf(process.platform === 'linux')('milepost doctor fails for a folder without free space', async () => {
  expect((await checkMachine(join(tmpdir(), 'new', 'home')))[1]?.result).toBe('passed');
  expect(await checkMachine(null)).toHaveLength(1);
  // This virtual file system has no free space.
  expect((await checkMachine('/proc/none/milepost'))[1]).toEqual({
    check: 'disk',
    result: 'failed',
    message: '/proc/none/milepost has 0.0 GB of free space: free more space, or set MILEPOST_HOME to another folder.',
  });
});

// This test has its own server, because other tests depend on the shared server's settings.
it('milepost doctor warns about a Redis that evicts keys, and fails for a replica', needs('redis-server'), async () => {
  const server = untilTestEnds(await startLocalRedis());
  const redis = new Redis(server.address);
  onTestFinished(() => redis.disconnect());
  const version = expect.stringMatching(/^passed version: The server is Redis \d+\.\d+\.\d+\.$/);
  for (const policy of ['volatile-lru', 'allkeys-lru']) {
    await redis.config('SET', 'maxmemory-policy', policy);
    expect(textsOf(await checkRedis(server.address))).toEqual([
      version,
      'passed role: The server accepts writes.',
      `warning eviction: The server evicts keys (maxmemory-policy ${policy}), so the queue may lose jobs: set maxmemory-policy to noeviction.`,
    ]);
  }
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  await redis.replicaof('127.0.0.1', 1);
  expect(textsOf(await checkRedis(server.address))).toEqual([
    version,
    'failed role: The server is a slave, which refuses writes: set REDIS_URL to the primary.',
    'passed eviction: The server evicts no keys.',
  ]);
  await redis.replicaof('NO', 'ONE');
  await redis.config('SET', 'requirepass', 'secret');
  expect(textsOf(await checkRedis(server.address))).toEqual([
    expect.stringMatching(/^failed connection: Redis cannot be used: .*NOAUTH.* Check REDIS_URL\.$/),
  ]);
  expect(textsOf(await checkRedis(server.address.replace('//', '//:secret@')))).toHaveLength(3);
});

describeWithKafka('milepost doctor with Kafka', (brokers) => {
  it("reads the last records of each topic, and does not disturb ingest's consumers", async () => {
    const topics = untilTestEnds(await Topics.create(brokers));
    const values = [JSON.stringify(tripProcessed()), '{"kind":"trip.processed"}'];
    await topics.publish(values.map((value) => ({ topic: 'trips', key: 'one', value, broken: false })));
    const settings = { ...topics.settings(brokers), DATABASE_URL: await databaseOfTest() };
    const report = await diagnose(settings);
    expect(report.ok).toBe(true);
    expect(faults(report, 'Kafka')).toEqual([
      expect.stringMatching(/^warning records of trips-.*: Ingest would refuse 1 of the last 2 records\. The first: /),
      expect.stringMatching(/^skipped records of drivers-.*: The topic has no records yet\.$/),
    ]);
    const { groups } = await asAdministrator(topics.kafka, async (admin) => await admin.listGroups());
    expect(groups.map(({ groupId }) => groupId)).not.toContain(topics.groupId);
  });

  it('judges only the last ten records of a topic, and names a compacted topic and a missing topic', async () => {
    const topics = untilTestEnds(await Topics.create(brokers));
    const single = `${topics.names.trips}-single`;
    const configEntries = [{ name: 'cleanup.policy', value: 'compact' }];
    await createTopics(topics.kafka, [{ topic: single, numPartitions: 1, configEntries }]);
    const wrong = Array(3).fill('{"kind":"trip.processed"}');
    const right = numberedTrips(10).map((trip) => JSON.stringify(trip));
    const messages = [...wrong, ...right].map((value, index) => ({ key: String(index), value }));
    await sendTo(topics.kafka, { topic: single, messages });
    const report = await diagnose({
      ...topics.settings(brokers),
      KAFKA_TRIPS_TOPIC: single,
      KAFKA_DRIVERS_TOPIC: `${single}-missing`,
      DATABASE_URL: await databaseOfTest(),
    });
    const [connection, group, topic, ...others] = linesOf(report, 'Kafka');
    expect([connection, group, topic]).toEqual([
      `passed connection: The brokers at ${brokers.join(', ')} respond.`,
      `passed group ${topics.groupId}: This client sees the consumer group.`,
      `passed topic ${single}: The topic has 1 partition. Each is read by only one ingest process at a time.`,
    ]);
    expect(others.slice(-2)).toEqual([
      `passed records of ${single}: Ingest would store the last 10 records.`,
      `warning topic ${single}-missing: This client cannot see the topic. Ingest creates it if permitted; otherwise, create it yourself and grant READ.`,
    ]);
    expect(others.slice(0, -2).join('\n')).toMatch(/configuration of .*cleanup\.policy=compact/);
    expect(report.ok).toBe(!linesOf(report, 'Kafka').some((line) => line.startsWith('failed')));
  });
});
