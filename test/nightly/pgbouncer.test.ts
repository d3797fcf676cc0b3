import { ROLES } from '@milepost/postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { untilReady } from '../support/faults/patience.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { statusOfDrivers } from '../support/http.ts';
import { expectSuccess, type Settings } from '../support/milepost.ts';
import { deliver, openPool } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { unless } from '../support/programs.ts';
import { whileReading } from '../support/readers.ts';
import { driverProfile, toNdjson, tripProcessed } from '../support/records.ts';
import { pgbouncerCommand, startPgBouncer } from '../support/services/field/pgbouncer.ts';
import { startPostgresVersion } from '../support/services/field/postgres-version.ts';
import { portSettings } from '../support/services/free-port.ts';
import { startLocalPostgres } from '../support/services/local/index.ts';

const PROCESSES = ['api', 'ingest', 'projector', 'ops'] as const;
const TRACKED = { track_extra_parameters: 'IntervalStyle, search_path' };

const needsPgBouncer = unless(
  await pgbouncerCommand().then(
    () => null,
    () => 'pgbouncer: install PgBouncer 1.21 or newer',
  ),
);

describe('PgBouncer', needsPgBouncer, () => {
  const server = perSuite(startLocalPostgres);
  const passwords = Object.fromEntries(PROCESSES.map((name) => [`${name.toUpperCase()}_PASSWORD`, `of-${name}`]));

  beforeAll(async () => {
    expectSuccess(await run(['migrate'], { DATABASE_URL: server.address, ...passwords }));
  });

  async function startPooler(mode: 'session' | 'transaction', settings: Record<string, string> = {}): Promise<number> {
    const owner = new URL(server.address);
    const logins = PROCESSES.map((name) => [`milepost_${name}_login`, `of-${name}`]);
    const users = { [owner.username]: owner.password, ...Object.fromEntries(logins) };
    return untilTestEnds(await startPgBouncer({ url: server.address, mode, users, settings })).port;
  }

  const urlAt = (port: number | string, user: string, password: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/milepost`;
  const loginAt = (port: number | string, name: string) => urlAt(port, `milepost_${name}_login`, `of-${name}`);

  /** Starts the API, the projector and ops, each with its own login. */
  async function startAll(settingsOf: (name: string) => Settings) {
    const ports = await portSettings('PORT', 'OPS_PORT');
    const shared = {
      ...ports,
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '1000000',
    };
    const starting = ['api', 'projector', 'ops'].map((name) => {
      return [name, untilTestEnds(new Processes({ ...shared, ...settingsOf(name) })).start(name)] as const;
    });
    const origin = `http://127.0.0.1:${ports['PORT']}`;
    await untilReady(origin);
    return { origin, running: Object.fromEntries(starting), commands: new Processes(settingsOf('ops')) };
  }

  const trips = (first: number, count: number, suffix: string) =>
    Array.from({ length: count }, (_, index) => tripProcessed({ source_trip_id: `trip-${suffix}-${first + index}` }));

  async function carry(settingsOf: (name: string) => Settings, ingestUrl: string, suffix: string) {
    const { origin, running, commands } = await startAll(settingsOf);
    const key = (await commands.run('keys', 'create', '--fleet', 'acme')).trim();
    const pool = untilTestEnds(openPool(ingestUrl, ROLES.ingest, 4));
    const work = async () => {
      for (let batch = 0; batch < 20; batch += 1) {
        const { counts } = await deliver(pool, trips(batch * 20, 20, suffix), `topic-${suffix}`);
        expect(counts.stored).toBe(20);
      }
      await commands.run('replay', 'start', 'trips', '--promote', '--wait');
      const last = toNdjson([driverProfile(), ...trips(10_000, 1, suffix)]);
      expectSuccess(await run(['ingest', '-', '--wait'], settingsOf('ops'), last));
      expect(await commands.run('audit')).toContain('no faults found');
    };
    const { answers } = await whileReading(8, () => statusOfDrivers(origin, key), work);
    expect(new Set(answers)).toEqual(new Set([200]));
    process.stderr.write(`PgBouncer, ${suffix}: ${answers.length} answers\n`);
    for (const process of Object.values(running)) expect(await process.stop()).toBe(0);
  }

  it('in session mode serves every process, without any setting', async () => {
    const port = await startPooler('session');
    const owner = new URL(server.address);
    const DATABASE_URL = urlAt(port, owner.username, owner.password);
    expectSuccess(await run(['migrate'], { DATABASE_URL, ...passwords }));
    await carry((name) => ({ DATABASE_URL: loginAt(port, name) }), loginAt(port, 'ingest'), 'session');
  });

  it('in transaction mode serves every process with DATABASE_URL_DIRECT, on few sessions', async () => {
    const port = await startPooler('transaction', { ...TRACKED, default_pool_size: '3' });
    const settingsOf = (name: string) => ({
      DATABASE_URL: loginAt(port, name),
      DATABASE_URL_DIRECT: loginAt(new URL(server.address).port, name),
    });
    await carry(settingsOf, `${loginAt(port, 'ingest')}?pool_mode=transaction`, 'transaction');
  });

  it('in transaction mode is refused on startup without DATABASE_URL_DIRECT, and when it does not track the schema', async () => {
    const port = await startPooler('transaction');
    const settings = { PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', LOG_LEVEL: 'fatal' };
    for (const name of ['api', 'projector', 'ops']) {
      const refused = await run([name], { ...settings, OPS_PORT: '0', DATABASE_URL: loginAt(port, name) });
      expect(refused, name).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^milepost: DATABASE_URL names a pooler in transaction mode: set DATABASE_URL_DIRECT .*\n$/,
        ),
      });
    }
    const DATABASE_URL_DIRECT = loginAt(new URL(server.address).port, 'api');
    const untracked = await run(['api'], { ...settings, DATABASE_URL: loginAt(port, 'api'), DATABASE_URL_DIRECT });
    expect(untracked).toMatchObject({ code: 1, stderr: expect.stringContaining('track_extra_parameters') });
    const dropping = await startPooler('transaction', { ignore_startup_parameters: 'options' });
    const dropped = await run(['api'], { ...settings, DATABASE_URL: loginAt(dropping, 'api'), DATABASE_URL_DIRECT });
    expect(dropped).toMatchObject({ code: 1, stderr: expect.stringContaining('instead of milepost') });
  });

  it('in transaction mode is refused on startup in front of PostgreSQL 17, which does not report the search_path', async () => {
    const older = untilTestEnds(await startPostgresVersion(17));
    expectSuccess(await run(['migrate'], { DATABASE_URL: older.url, ...passwords }));
    const users = { postgres_api_login: 'of-api' };
    const pooling = { url: older.url, mode: 'transaction', users, settings: TRACKED } as const;
    const pooler = untilTestEnds(await startPgBouncer(pooling));
    const refused = await run(['api'], {
      PORT: '0',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: `postgres://postgres_api_login:of-api@127.0.0.1:${pooler.port}/postgres`,
      DATABASE_URL_DIRECT: older.url,
    });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^milepost: The connection for \S+ uses the search_path .* instead of milepost\. .*\n$/,
      ),
    });
  });
});
