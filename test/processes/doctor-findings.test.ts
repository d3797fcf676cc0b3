import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { ROLES } from '@milepost/postgres';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { checkMachine } from '../../apps/cli/doctor/machine.ts';
import { checkPostgres, checkStandby } from '../../apps/cli/doctor/postgres.ts';
import { checkRedis } from '../../apps/cli/doctor/redis.ts';
import { createTestDatabase } from '../support/database.ts';
import { diagnose, linesOf, type Report } from '../support/doctor.ts';
import { startKillableRedis } from '../support/faults/redis.ts';
import { createHome, ended, milepost, removeHome, start } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { needs } from '../support/programs.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';
import { administer } from '../support/template.ts';
import { createTopics, Topics } from '../support/topics.ts';

type Finding = Awaited<ReturnType<typeof checkPostgres>>[number];

const textsOf = (findings: readonly Finding[]) =>
  findings.map(({ result, check, message }) => `${result} ${check}: ${message}`);

async function databaseOfTest(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return database.url;
}

/** Starts a PostgreSQL server without Milepost's roles and schema. Returns its address. */
async function newServer(): Promise<string> {
  const home = await createHome();
  const server = await startEmbeddedPostgres({ directory: join(home, 'postgres'), settings: { fsync: 'off' } });
  onTestFinished(async () => {
    await server.stop();
    await removeHome(home);
  });
  return server.url;
}

/** The checks for a migrated database in which every role may act. */
const SESSIONS = [
  ['api, lane', ROLES.api],
  ['api, directory', ROLES.api],
  ['ingest, lane', ROLES.ingest],
  ['projector, lane', ROLES.projector],
  ['ops, lane', ROLES.operator],
  ['ops, directory', ROLES.operator],
  ['ops, lane', ROLES.eraser],
].map(([where, role]) => `passed session (${where}): The schema, the role and the privileges of ${role} are correct.`);

describeWithPostgres('milepost doctor', () => {
  it('checks the server, the pool mode, the clock, and each role in each part that it uses', async () => {
    expect(textsOf(await checkPostgres(await databaseOfTest()))).toEqual([
      'passed version: Configured as Milepost requires.',
      'passed encoding: Configured as Milepost requires.',
      'passed pool mode: Configured as Milepost requires.',
      expect.stringMatching(/^passed clock: The clocks of this machine and of PostgreSQL differ by [01]\.\d s\.$/),
      ...SESSIONS,
    ]);
  });

  it('names the process and the part of each role that lacks a privilege, and continues with the other roles', async () => {
    const url = await databaseOfTest();
    const owner = openPool(url, undefined, 1);
    await owner.query(`REVOKE UPDATE ON generation FROM ${ROLES.projector}`);
    await owner.end();
    const sessions = textsOf(await checkPostgres(url)).slice(4);
    expect(sessions).toEqual(
      SESSIONS.map((line) =>
        line.includes('(projector,')
          ? 'failed privileges (projector, lane): The role milepost_projector lacks privileges in the schema milepost (generation UPDATE): run `milepost migrate` of this release.'
          : line,
      ),
    );
  });

  it('skips the roles in which a login may not act, and names the process whose settings it needs', async () => {
    const owner = await databaseOfTest();
    const url = new URL(owner);
    const login = `doctor_${url.pathname.slice(1)}`;
    await administer(owner, [`CREATE ROLE ${login} LOGIN PASSWORD 'secret'`]);
    onTestFinished(async () => await administer(owner, [`DROP OWNED BY ${login}`, `DROP ROLE ${login}`]));
    await administer(owner, [
      `GRANT ${ROLES.ingest} TO ${login} WITH INHERIT FALSE, SET TRUE`,
      `GRANT CONNECT ON DATABASE "${url.pathname.slice(1)}" TO ${login}`,
    ]);
    url.username = login;
    url.password = 'secret';
    expect(textsOf(await checkPostgres(url.href)).slice(4)).toEqual(
      SESSIONS.map((line) => {
        const [, where = '', process = ''] = /\((([a-z]+), [a-z]+)\)/.exec(line) ?? [];
        if (process === 'ingest') return line;
        return expect.stringMatching(
          new RegExp(
            `^skipped session \\(${where}\\): This login may not act in milepost_\\w+: repeat the check with the DATABASE_URL of ${process}\\.$`,
          ),
        );
      }),
    );
  });

  // If the check were skipped, nobody would see that the server was never migrated.
  it('fails for each role of a server that was never migrated', async () => {
    const sessions = (await checkPostgres(await newServer())).slice(4);
    expect(sessions.map(({ result }) => result)).toEqual(SESSIONS.map(() => 'failed'));
  });

  it('recognizes the standby of another server, and a replay that a reader can delay for five seconds', async () => {
    const primary = await databaseOfTest();
    expect(textsOf(await checkStandby(primary, primary))).toEqual([
      'passed connection: The server is a standby of the server in DATABASE_URL.',
      expect.stringMatching(
        /^warning replay delay: max_standby_streaming_delay is 30s, so .*: set it to 1s on the standby\.$/,
      ),
      'passed session (api, lane): The schema, the role and the privileges of milepost_api are correct.',
    ]);
    const server = await newServer();
    for (const [delay, result] of [
      ['4999ms', 'passed'],
      ['5s', 'warning'],
      ['-1', 'warning'],
      ['0', 'passed'],
    ] as const) {
      await administer(server, [
        `ALTER SYSTEM SET max_standby_streaming_delay = '${delay}'`,
        'SELECT pg_reload_conf()',
      ]);
      const findings = async () => textsOf(await checkStandby(server, primary)).slice(0, 2);
      await expect
        .poll(findings, { timeout: 20_000 })
        .toEqual([
          'failed connection: The server is a standby of a different server from the one in DATABASE_URL: correct DATABASE_URL_READ.',
          expect.stringMatching(new RegExp(`^${result} replay delay: max_standby_streaming_delay is ${delay}[.,]`)),
        ]);
    }
  });
});

it('milepost doctor checks the free space of the first folder that exists, and only for an embedded database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-test-doctor-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const home = join(folder, 'new', 'home');
  const [files, disk] = await checkMachine(home);
  expect(disk).toEqual({
    check: 'disk',
    result: 'passed',
    message: expect.stringMatching(/ has [1-9]\d*\.\d GB of free space\.$/),
  });
  expect(disk?.message.startsWith(`${home} has `)).toBe(true);
  expect(await checkMachine(null)).toEqual([files]);
});

it.runIf(process.platform === 'linux')('milepost doctor fails for a folder without free space', async () => {
  // The file system of the processes has no space.
  expect((await checkMachine('/proc/none/milepost'))[1]).toEqual({
    check: 'disk',
    result: 'failed',
    message: '/proc/none/milepost has 0.0 GB of free space: free more space, or set MILEPOST_HOME to another folder.',
  });
});

it.runIf(process.platform === 'linux').each([
  [255, 'failed'],
  [256, 'warning'],
  [10_239, 'warning'],
  [10_240, 'passed'],
])('milepost doctor judges a limit of %i open files: %s', async (limit, result) => {
  const command = `ulimit -n ${limit} && exec "$@"`;
  const child = start(['sh', '-c', command, 'sh', ...milepost(['doctor', '--json'])], {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  });
  const report: Report = JSON.parse((await ended(child)).stdout);
  const advice =
    ': raise the limit to 10240 (ulimit -n, or LimitNOFILE in systemd), so that the API accepts 10000 connections.';
  expect(linesOf(report, 'Machine')).toEqual([
    `${result} open files: A process may open ${limit} files${result === 'passed' ? '.' : advice}`,
  ]);
});

// This test has its own server, because other tests use the settings of the shared one.
it('milepost doctor warns of a Redis that evicts keys, and fails for a replica', needs('redis-server'), async () => {
  const server = await startKillableRedis();
  onTestFinished(server.stop);
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const version = expect.stringMatching(/^passed version: The server is Redis \d+\.\d+\.\d+\.$/);
  for (const policy of ['volatile-lru', 'allkeys-lru']) {
    await redis.config('SET', 'maxmemory-policy', policy);
    expect(textsOf(await checkRedis(server.url))).toEqual([
      version,
      'passed role: The server accepts writes.',
      `warning eviction: The server evicts keys (maxmemory-policy ${policy}), and the queue may lose jobs: set maxmemory-policy to noeviction.`,
    ]);
  }
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  await redis.replicaof('127.0.0.1', 1);
  expect(textsOf(await checkRedis(server.url))).toEqual([
    version,
    'failed role: The server is a slave, which refuses writes: set REDIS_URL to the primary.',
    'passed eviction: The server evicts no keys.',
  ]);
  await redis.replicaof('NO', 'ONE');
  await redis.config('SET', 'requirepass', 'secret');
  expect(textsOf(await checkRedis(server.url))).toEqual([
    expect.stringMatching(/^failed connection: Redis cannot be used: .*NOAUTH.* Check REDIS_URL\.$/),
  ]);
  expect(textsOf(await checkRedis(server.url.replace('//', '//:secret@')))).toHaveLength(3);
});

describeWithKafka('milepost doctor with Kafka', (brokers) => {
  it('judges the last ten records of a topic alone, names a missing topic, and checks each subject in turn', async () => {
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    const single = `${topics.names.trips}-single`;
    await createTopics(topics.kafka, [{ topic: single, numPartitions: 1 }]);
    const producer = topics.kafka.producer();
    await producer.connect();
    const wrong = Array.from({ length: 3 }, () => '{"kind":"trip.processed"}');
    const right = Array.from({ length: 10 }, (_, index) =>
      JSON.stringify(tripProcessed({ source_trip_id: `trip-${index}` })),
    );
    await producer.send({ topic: single, messages: [...wrong, ...right].map((value) => ({ value })) });
    await producer.disconnect();
    const report = await diagnose({
      ...topics.settings(brokers),
      KAFKA_TRIPS_TOPIC: single,
      KAFKA_DRIVERS_TOPIC: `${single}-missing`,
      DATABASE_URL: await databaseOfTest(),
    });
    const [connection, group, topic, ...others] = linesOf(report, 'Kafka');
    expect([connection, group, topic]).toEqual([
      `passed connection: The brokers at ${brokers.join(', ')} answer.`,
      `passed group ${topics.groupId}: This client sees the consumer group.`,
      `passed topic ${single}: The topic has 1 partition. Each of them is read by one ingest process at a time.`,
    ]);
    expect(others.slice(-2)).toEqual([
      `passed records of ${single}: Ingest would store the last 10 records.`,
      `warning topic ${single}-missing: This client sees no such topic. Ingest creates the topic if permitted; otherwise create it, and grant READ.`,
    ]);
    expect(others.slice(0, -2).join('\n')).toContain(`configuration of ${single}: `);
    expect(report.ok).toBe(!linesOf(report, 'Kafka').some((line) => line.startsWith('failed')));
  });
});
