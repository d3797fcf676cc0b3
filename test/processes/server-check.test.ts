import type { Socket } from 'node:net';
import { assertUsable, checkAtStart, directoryAt, laneAt, type Part, ROLES, type Role } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { asStranger, createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { startPostgresProxy } from '../support/faults/postgres-proxy.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { openPartPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { administer } from '../support/template.ts';

const PROCESS_SETTINGS = {
  ...{ PORT: '0', OPS_PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', LOG_LEVEL: 'fatal' },
  KAFKA_BROKERS: '127.0.0.1:9',
};

/** The name of the statement that reads a session's process id. */
const QUESTION = 'backend-process';
/** The beginning of the message that contains the process id: its type and length. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/**
 * Starts a pooler that invents the process ids of its connections. It counts the queries for process ids on all
 * connections. After more than `exchangeAfter` queries, the first two connections swap their sessions for good.
 */
async function startPoolingPostgres(url: string, exchangeAfter: number) {
  const links: { client: Socket; upstream: Socket }[] = [];
  let questions = 0;
  return await startPostgresProxy(url, (client, openUpstream) => {
    const own = { client, upstream: openUpstream() };
    const place = links.push(own) - 1;
    const current = () => (questions > exchangeAfter ? links[1 - place] : own) ?? own;
    client.on('data', (bytes) => {
      if (bytes.includes(QUESTION)) questions += 1;
      current().upstream.write(bytes);
    });
    own.upstream.on('data', (bytes) => {
      const at = bytes.indexOf(BACKEND_KEY);
      if (at >= 0) bytes.writeInt32BE(0, at + BACKEND_KEY.length);
      current().client.write(bytes);
    });
  });
}

describeWithPostgres('the startup checks', (serverUrl) => {
  const database = perSuite(createTestDatabase);

  /** Opens a pool on a part as a role and checks it. */
  async function check(part: Part, role: Role, connections = 1) {
    const pool = openPartPool(part, role, connections);
    await assertUsable(pool).finally(() => pool.end());
  }

  it.each([
    ['RESET role', /^The connection for \w+ acts as role \w+ instead of milepost_ingest\. .*pooler/],
    [
      'SET search_path = milepost_directory',
      /^The connection for \w+ uses the search_path milepost_directory instead of milepost\. .*pooler/,
    ],
  ])('refuse a connection that has lost its role or its schema on the way (%s)', async (loss, message) => {
    const pool = untilTestEnds(openPartPool(laneAt(database.url), ROLES.ingest, 1));
    await pool.query(loss);
    await expect(assertUsable(pool)).rejects.toThrow(message);
  });

  it("report in the server's words that a login is not allowed to connect to the database", async () => {
    const url = await createEmptyDatabase(serverUrl);
    await administer(serverUrl, [`REVOKE CONNECT ON DATABASE ${new URL(url).pathname.slice(1)} FROM PUBLIC`]);
    const stranger = await asStranger(url);
    await expect(check(laneAt(stranger), ROLES.api)).rejects.toThrow('permission denied for database');
  });

  it.each([
    [ROLES.api, 'lane', ['applied_lag SELECT']],
    [ROLES.api, 'directory', ['valid_api_key SELECT']],
    [ROLES.ingest, 'lane', ['log_head UPDATE', 'stored_event INSERT', 'log_source UPDATE']],
    [ROLES.projector, 'lane', ['stored_event SELECT', 'generation UPDATE']],
    [ROLES.operator, 'lane', ['stored_event SELECT', 'replay INSERT']],
    [ROLES.operator, 'directory', ['api_key INSERT', 'operator_action INSERT']],
    [ROLES.eraser, 'lane', ['log_head UPDATE', 'erasure INSERT']],
  ] as const)('name every privilege that %s lacks in the %s', async (role, kind, privileges) => {
    const { url } = untilTestEnds(await createTestDatabase());
    const part = kind === 'lane' ? laneAt(url) : directoryAt(url);
    const owner = untilTestEnds(openPartPool(part, undefined, 1));
    for (const needed of [...privileges, 'migration SELECT']) {
      const [table = '', privilege = ''] = needed.split(' ');
      await owner.query(`REVOKE ${privilege} ON ${table} FROM ${role}`);
      await expect(check(part, role)).rejects.toThrow(
        `Role ${role} lacks privileges in schema ${part.schema} (${needed}): run this release's \`milepost migrate\`.`,
      );
      await owner.query(`GRANT ${privilege} ON ${table} TO ${role}`);
      await check(part, role);
    }
  });

  it('name the first breaking migration that this release does not know, in each part, and accept other migrations', async () => {
    const { url } = untilTestEnds(await createTestDatabase());
    for (const [part, role] of [
      [laneAt(url), ROLES.projector],
      [directoryAt(url), ROLES.operator],
    ] as const) {
      const owner = untilTestEnds(openPartPool(part, undefined, 1));
      const add = async (number: number, name: string, breaking: boolean) =>
        await owner.query("INSERT INTO migration (number, name, breaking, content_hash) VALUES ($1, $2, $3, '')", [
          number,
          name,
          breaking,
        ]);
      await add(9_000, 'harmless', false);
      await check(part, role);
      await add(9_002, 'later', true);
      await add(9_001, 'sooner', true);
      await expect(check(part, role)).rejects.toThrow(
        `Schema ${part.schema} has migration 9001 (sooner), which this release of Milepost does not recognize: run a newer release.`,
      );
    }
  });

  it.each([2, 3, 6, 7])(
    'refuse an undeclared pooler in transaction mode, which exchanges sessions after %d questions',
    async (questions) => {
      const pooler = untilTestEnds(await startPoolingPostgres(database.url, questions));
      await expect(check(laneAt(pooler.url), ROLES.api, 2)).rejects.toThrow(
        'DATABASE_URL names a pooler in transaction mode: set DATABASE_URL_DIRECT to the address of PostgreSQL itself',
      );
    },
  );

  it('accept a pooler that does not exchange sessions', async () => {
    const pooler = untilTestEnds(await startPoolingPostgres(database.url, Number.POSITIVE_INFINITY));
    for (const connections of [1, 2]) await check(laneAt(pooler.url), ROLES.api, connections);
  });

  it('check each pool, and are silent only if the process stops', async () => {
    const parts = [laneAt(database.url), directoryAt(database.url)];
    const pools = parts.map((part) => untilTestEnds(openPartPool(part, ROLES.api, 1)));
    await pools[1]?.query('SET search_path = milepost');
    const { signal } = new AbortController();
    await expect(checkAtStart(pools, { signal })).rejects.toThrow(/uses the search_path milepost instead of/);
    await checkAtStart(pools.slice(0, 1), { signal });
    await checkAtStart(pools, { signal: AbortSignal.abort() });
  });

  it('end the start if a login has a wrong password', async () => {
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    const pool = untilTestEnds(openPartPool(laneAt(wrong.href), ROLES.api, 1));
    const { signal } = new AbortController();
    await expect(checkAtStart([pool], { signal })).rejects.toThrow('password authentication failed');
  });

  it('refuse to migrate a database whose encoding is not UTF8', async () => {
    const url = await createEmptyDatabase(serverUrl, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    await expect(migrate(laneAt(url))).rejects.toThrow(
      /^The encoding of the database is LATIN1, but Milepost needs UTF8/,
    );
    const result = await run(['migrate'], { DATABASE_URL: url });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/^milepost: The encoding of the database/) });
  });

  it.each(['api', 'projector', 'ops', 'ingest'])(
    'end the process %s with one sentence if the database has not been migrated or its login is not allowed to act in the role',
    async (name) => {
      const url = await createEmptyDatabase(serverUrl);
      const result = await run([name], { ...PROCESS_SETTINGS, DATABASE_URL: url });
      expect(result).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^milepost: .* run `milepost migrate` first\.\n$/),
      });

      const refused = await run([name], { ...PROCESS_SETTINGS, DATABASE_URL: await asStranger(database.url) });
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^milepost: The user in DATABASE_URL is not allowed to act as role milepost_\w+: .*\n$/,
        ),
      });
    },
  );
});
