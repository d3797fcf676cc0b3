import { assertUsable, laneAt, ROLES, type Role } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { perSuite } from '../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { assertOwnRolesAlone } from '../support/logins.ts';
import { expectSuccess, type Settings } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { startLocalPostgres } from '../support/services/local/index.ts';
import { administer, databaseUrl } from '../support/template.ts';

/** Roles belong to the whole server, so these tests have their own server. */
const server = perSuite(startLocalPostgres);

/** Returns passwords for the four logins. The suffix makes them different from another database's passwords. */
function passwords(suffix: string): Settings {
  const names = ['API', 'INGEST', 'PROJECTOR', 'OPS'];
  return Object.fromEntries(names.map((name) => [`${name}_PASSWORD`, `${name.toLowerCase()}-${suffix}`]));
}

const urlAs = (database: string, username: string, password: string) =>
  Object.assign(new URL(databaseUrl(server.address, database)), { username, password }).href;

async function assertActs(url: string, role: Role): Promise<void> {
  const pool = openPool(url, role, 1);
  await assertUsable(pool).finally(() => pool.end());
}

const PROCESSES = [
  ['api', ROLES.api],
  ['ingest', ROLES.ingest],
  ['projector', ROLES.projector],
  ['ops', ROLES.operator],
] as const;

const superuser = perSuite(async () => openPool(server.address));
const rowsOf = async (sql: string, values: unknown[] = []): Promise<unknown[]> =>
  (await superuser.query(sql, values)).rows;

const verifiers = async () =>
  await rowsOf("SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE '%\\_login' ORDER BY 1");

/** Returns a database's logins with their roles (`ROLE INHERITS MAY_SET`), settings and right to connect. */
async function loginsOf(database: string): Promise<unknown[]> {
  return await rowsOf(
    `SELECT rolname AS name, rolcanlogin AS can_login, has_database_privilege(login.oid, $1, 'CONNECT') AS can_connect,
       array (SELECT concat_ws(' ', roleid::regrole, CASE WHEN inherit_option THEN 'true' ELSE 'false' END,
           CASE WHEN set_option THEN 'true' ELSE 'false' END)
         FROM pg_auth_members WHERE member = login.oid ORDER BY 1) AS roles,
       array (SELECT unnest(setconfig) FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
         WHERE setrole = login.oid AND datname = $1 ORDER BY 1) AS settings
     FROM pg_roles AS login WHERE rolname LIKE $1 || '\\_%\\_login' ORDER BY name`,
    [database],
  );
}

async function publicPrivileges(database: string): Promise<unknown> {
  const sql = `SELECT has_database_privilege('public', $1, 'CONNECT') AS connect,
    has_database_privilege('public', $1, 'TEMPORARY') AS temporary`;
  return (await rowsOf(sql, [database]))[0];
}

describe('two databases of Milepost on one server', () => {
  it("have separate logins that reach only their own database, and do not change each other's passwords", async () => {
    await administer(server.address, ['CREATE DATABASE first', 'CREATE DATABASE "Second-2"']);
    for (const name of ['first', 'Second-2']) {
      const settings = { DATABASE_URL: databaseUrl(server.address, name), ...passwords(name) };
      expectSuccess(await run(['migrate'], settings));
    }
    for (const [own, other] of [
      ['first', 'Second-2'],
      ['Second-2', 'first'],
    ] as const) {
      for (const [process, role] of PROCESSES) {
        const [user, password] = [`${own}_${process}_login`, `${process}-${own}`];
        await assertActs(urlAs(own, user, password), role);
        await expect(assertActs(urlAs(other, user, password), role), user).rejects.toMatchObject({
          code: '42501',
          message: expect.stringContaining(`permission denied for database "${other}"`),
        });
      }
    }
    await assertOwnRolesAlone(urlAs('first', 'first_api_login', 'api-first'), [ROLES.api]);
  });

  it('keep the verifiers of unchanged passwords, because poolers may have copies of them', async () => {
    const before = await verifiers();
    expect(before).toHaveLength(8);
    const settings = { DATABASE_URL: databaseUrl(server.address, 'first'), ...passwords('first') };
    expectSuccess(await run(['migrate'], settings));
    expect(await verifiers()).toEqual(before);
    expectSuccess(await run(['migrate'], { ...settings, API_PASSWORD: 'changed' }));
    await assertActs(urlAs('first', 'first_api_login', 'changed'), ROLES.api);
    expect((await verifiers()).filter((each, index) => JSON.stringify(each) !== JSON.stringify(before[index]))).toEqual(
      [expect.objectContaining({ rolname: 'first_api_login' })],
    );
  });

  it('have logins with exactly the roles and settings that they need, and migrating restores any of them', async () => {
    const settings = {
      DATABASE_URL: databaseUrl(server.address, 'first'),
      ...passwords('first'),
      API_PASSWORD: 'changed',
    };
    expectSuccess(await run(['migrate'], settings));
    const before = await loginsOf('first');
    const common = (statementTimeout: string) => [
      'extra_float_digits=1',
      'idle_in_transaction_session_timeout=60s',
      `statement_timeout=${statementTimeout}`,
    ];
    const login = (roles: string[], statementTimeout = '60s') => ({
      can_login: true,
      can_connect: true,
      roles: roles.map((role) => `${role} false true`).sort(),
      settings: [...common(statementTimeout), `role=${roles[0]}`].sort(),
    });
    const ops = login([ROLES.operator, ROLES.ingest, ROLES.eraser, ROLES.projector]);
    const seen = ['api', 'ingest', 'projector'].map((process) => `first_${process}_login true false`);
    expect(before).toEqual([
      { name: 'first_api_login', ...login([ROLES.api], '4s') },
      { name: 'first_ingest_login', ...login([ROLES.ingest]) },
      { name: 'first_ops_login', ...ops, roles: [...ops.roles, ...seen].sort() },
      { name: 'first_projector_login', ...login([ROLES.projector]) },
    ]);
    await administer(server.address, [
      'ALTER ROLE first_api_login NOLOGIN',
      'REVOKE milepost_eraser FROM first_ops_login',
      'REVOKE first_ingest_login FROM first_ops_login',
      'ALTER ROLE first_ops_login PASSWORD NULL',
      'ALTER ROLE first_ingest_login IN DATABASE first RESET statement_timeout',
      "ALTER ROLE first_projector_login IN DATABASE first SET role = 'milepost_api'",
      'REVOKE CONNECT ON DATABASE first FROM first_ingest_login',
      'GRANT CONNECT, TEMPORARY ON DATABASE first TO PUBLIC',
    ]);
    const printed = await run(['migrate', '--print-roles'], settings);
    expect(printed.stdout.trimEnd().split('\n')).toEqual([
      'ALTER ROLE "first_api_login" LOGIN;',
      `ALTER ROLE "first_ingest_login" IN DATABASE "first" SET statement_timeout = '60s';`,
      `ALTER ROLE "first_projector_login" IN DATABASE "first" SET role = 'milepost_projector';`,
      expect.stringMatching(/^ALTER ROLE "first_ops_login" PASSWORD 'SCRAM-SHA-256\$4096:[^']+';$/),
      'GRANT milepost_eraser TO "first_ops_login" WITH INHERIT FALSE, SET TRUE;',
      'GRANT "first_ingest_login" TO "first_ops_login" WITH INHERIT TRUE, SET FALSE;',
    ]);
    expect(await loginsOf('first')).not.toEqual(before);
    expectSuccess(await run(['migrate'], settings));
    expect(await loginsOf('first')).toEqual(before);
    expect(await publicPrivileges('first')).toEqual({ connect: false, temporary: false });
    await assertActs(urlAs('first', 'first_ops_login', 'ops-first'), ROLES.eraser);
    expect((await run(['migrate', '--print-roles'], settings)).stdout).toBe('');
  });

  it('can be migrated while a migrator for another database creates or drops the same role', async () => {
    await administer(server.address, ['CREATE DATABASE raced', 'CREATE ROLE raced_ingest_login LOGIN']);
    const raced = databaseUrl(server.address, 'raced');
    const owner = openPool(raced, undefined, 2);
    const passwordsOfLogins = { api: 'api-raced', ingest: 'ingest-raced' };
    const migrating = async (sql: string) =>
      await whileLocked(
        owner,
        sql,
        () => lockWaiters(owner, 1),
        async () => await migrate(laneAt(raced), passwordsOfLogins),
      );
    // A failure to create a role is ignored only if the role already exists. Any other fault is reported unchanged.
    await expect(migrating('DROP ROLE raced_ingest_login')).rejects.toMatchObject({ code: 'XX000' });
    await migrating('CREATE ROLE raced_api_login');
    await owner.end();
    expectSuccess(await run(['migrate'], { DATABASE_URL: raced, API_PASSWORD: 'api-raced' }));
    await assertActs(urlAs('raced', 'raced_api_login', 'api-raced'), ROLES.api);
  });

  it("are refused by name if the name is too long for the logins' names", async () => {
    const name = 'n'.repeat(48);
    await administer(server.address, [`CREATE DATABASE ${name}`]);
    const refused = await run(['migrate'], { DATABASE_URL: databaseUrl(server.address, name), ...passwords('long') });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('at most 47 bytes') });
  });
});

it('an owner of the database without CREATEROLE migrates after an administrator has run the SQL from --print-roles, including passwords', async () => {
  await administer(server.address, [
    "CREATE ROLE app_owner LOGIN PASSWORD 'owner' NOCREATEROLE",
    'CREATE DATABASE managed OWNER app_owner',
  ]);
  const settings = { DATABASE_URL: urlAs('managed', 'app_owner', 'owner'), ...passwords('managed') };
  const administrator = databaseUrl(server.address, 'postgres');
  const refused = await run(['migrate'], settings);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^milepost: The user app_owner is not allowed to run `[^`]+`: .*`milepost migrate --print-roles`.*\n$/,
    ),
  });
  const printed = await run(['migrate', '--print-roles'], settings);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('GRANT milepost_api TO "app_owner";\n');
  expect(printed.stdout).not.toContain('api-managed');
  await administer(administrator, [printed.stdout]);
  expectSuccess(await run(['migrate'], settings));
  for (const [process, role] of PROCESSES) {
    await assertActs(urlAs('managed', `managed_${process}_login`, `${process}-managed`), role);
  }

  const changed = { ...settings, OPS_PASSWORD: 'changed' };
  const unchanged = await run(['migrate'], changed);
  expect(unchanged).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not allowed to run `ALTER ROLE "managed_ops_login" PASSWORD ...`'),
  });
  await administer(administrator, [(await run(['migrate', '--print-roles'], changed)).stdout]);
  expectSuccess(await run(['migrate'], changed));
  const { DATABASE_URL } = settings;
  expect(await run(['migrate', '--print-roles'], { DATABASE_URL })).toMatchObject({ code: 0, stdout: '' });
});
