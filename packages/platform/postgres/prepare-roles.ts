import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { SQLSTATES, sqlState } from './errors.ts';
import { LOGIN_NAMES, LOGINS, type Login, type LoginPasswords, loginName } from './logins.ts';
import { ROLES } from './roles.ts';
import { isVerifierOf, scramVerifier } from './scram.ts';
import { COMMON_SETTINGS } from './session.ts';
import { columns, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const READ_DATABASE = statement('database-of-roles', {
  ...columns('text', 'database', 'migrator'),
  ...columns('boolean', 'superuser', 'is_cluster'),
})`
  SELECT current_database()::text AS database, current_user::text AS migrator, rolsuper AS superuser,
    to_regclass('pg_dist_schema') IS NOT NULL AS is_cluster
  FROM pg_roles WHERE rolname = current_user`;

const LIST_ROLES = statement('list-roles', {
  name: 'text',
  can_login: 'boolean',
  /** Whether the current user may act as the role. */
  member: 'boolean',
  /** The other roles that the role may act as. */
  granted: 'text[]',
  /** The other roles whose privileges the role has. */
  inherited: 'text[]',
  /** The settings of the role in this database, such as `role=milepost_api`. */
  settings: 'text[]',
})`
  SELECT rolname::text AS name, rolcanlogin AS can_login, pg_has_role(current_user, oid, 'SET') AS member,
  array (SELECT roleid::regrole::text FROM pg_auth_members WHERE member = pg_roles.oid AND set_option) AS granted,
  array (SELECT other.rolname::text FROM pg_auth_members JOIN pg_roles other ON other.oid = roleid
    WHERE member = pg_roles.oid AND inherit_option) AS inherited,
  coalesce((SELECT setconfig FROM pg_db_role_setting WHERE setrole = pg_roles.oid
    AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())), '{}') AS settings
  FROM pg_roles WHERE rolname = ANY ($1)`;

const READ_VERIFIER = statement('login-verifier', { verifier: 'text?' })`
  SELECT rolpassword AS verifier FROM pg_authid WHERE rolname = $1`;

/** A statement that creates or changes a role, which only an administrator of roles may run. */
interface RoleStatement {
  sql: string;
  /** The login whose password the statement sets. */
  login?: { name: string; password: string };
}

/**
 * The settings that every session of a login has in this database. The settings apply even behind a pooler in
 * transaction mode, where a connection cannot keep its own settings (`session.ts`).
 */
function loginSettings(login: Login): string[] {
  return [
    `role=${LOGINS[login][0]}`,
    ...Object.entries(COMMON_SETTINGS).map(([name, value]) => `${name}=${value}`),
    `statement_timeout=${login === 'api' ? '4s' : '60s'}`,
  ];
}

/**
 * Returns the statements that the server still needs for the roles and logins of the current database, in order. A
 * superuser can see whether a password is already set. If it is, it is not set again, because that would change the
 * verifier, which poolers may have copied.
 *
 * @param passwords the logins to create or to change
 */
async function planRoles(transaction: Transaction, passwords: LoginPasswords): Promise<RoleStatement[]> {
  const { database, migrator, superuser, is_cluster } = await transaction.row(READ_DATABASE);
  const roles = Object.values(ROLES);
  const names = [...roles, ...LOGIN_NAMES.map((login) => loginName(database, login))];
  const found = new Map((await transaction.rows(LIST_ROLES, [names])).map((role) => [role.name, role]));
  const statements: RoleStatement[] = [];
  const add = (sql: string) => statements.push({ sql });
  for (const role of roles.filter((each) => !found.has(each))) add(`CREATE ROLE ${role} NOLOGIN`);
  const notGranted = superuser ? [] : roles.filter((role) => !found.get(role)?.member);
  for (const role of notGranted) add(`GRANT ${role} TO ${escapeIdentifier(migrator)}`);
  // When a session creates read tables, the coordinator of a Citus cluster connects to the nodes as the session's role,
  // so the projector's role must be able to log in. No other role can log in, so processes cannot use a lane through a
  // node that does not own the lane.
  if (is_cluster && !found.get(ROLES.projector)?.can_login) add(`ALTER ROLE ${ROLES.projector} LOGIN`);
  for (const login of LOGIN_NAMES) {
    const password = passwords[login];
    if (password === undefined) continue;
    const name = loginName(database, login);
    const role = found.get(name);
    const identifier = escapeIdentifier(name);
    if (!role) add(`CREATE ROLE ${identifier} LOGIN`);
    else if (!role.can_login) add(`ALTER ROLE ${identifier} LOGIN`);
    const [stored] = role && superuser ? await transaction.rows(READ_VERIFIER, [name]) : [];
    if (!stored?.verifier || !isVerifierOf(stored.verifier, password)) {
      const sql = `ALTER ROLE ${identifier} PASSWORD ${escapeLiteral(scramVerifier(password))}`;
      statements.push({ sql, login: { name, password } });
    }
    const grants = LOGINS[login].filter((each) => !role?.granted.includes(each));
    // Without a role, the login has no rights, because it does not inherit any.
    if (grants.length > 0) add(`GRANT ${grants.join(', ')} TO ${identifier} WITH INHERIT FALSE, SET TRUE`);
    const watched = login === 'ops' ? LOGIN_NAMES.filter((each) => each !== login) : [];
    const unseen = watched
      .filter((each) => passwords[each] !== undefined || found.has(loginName(database, each)))
      .map((each) => loginName(database, each))
      .filter((each) => !role?.inherited.includes(each));
    // The logins have no rights of their own, so this only gives the right to see and to end their sessions.
    if (unseen.length > 0) {
      add(`GRANT ${unseen.map(escapeIdentifier).join(', ')} TO ${identifier} WITH INHERIT TRUE, SET FALSE`);
    }
    for (const setting of loginSettings(login).filter((each) => !role?.settings.includes(each))) {
      const [key = '', value = ''] = setting.split('=');
      add(`ALTER ROLE ${identifier} IN DATABASE ${escapeIdentifier(database)} SET ${key} = ${escapeLiteral(value)}`);
    }
  }
  return statements;
}

/** The migrating user lacks the right to create or change the missing roles. The message contains the remedy. */
export class RolesRefusedError extends Error {
  override name = 'RolesRefusedError';
}

/** Whether a login can already connect with its password, which then need not be set. */
async function canConnect(serverUrl: string, { name, password }: { name: string; password: string }): Promise<boolean> {
  const url = new URL(serverUrl);
  url.username = encodeURIComponent(name);
  url.password = password;
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function runRoleStatement(transaction: Transaction, { sql, login }: RoleStatement, url: string) {
  try {
    await transaction.inSavepoint(() => transaction.run(sql));
  } catch (error) {
    const state = sqlState(error) ?? '';
    // A migrator of another database on this server has just created the role.
    if (sql.startsWith('CREATE ROLE') && [SQLSTATES.duplicate_object, SQLSTATES.unique_violation].includes(state))
      return;
    if (state !== SQLSTATES.insufficient_privilege) throw error;
    if (login && (await canConnect(url, login))) return;
    throw new RolesRefusedError(
      `The user ${new URL(url).username} is not allowed to run \`${sql.replace(/ PASSWORD .*/, ' PASSWORD ...')}\`: ask an administrator to run the SQL that \`milepost migrate --print-roles\` prints, and run \`milepost migrate\` again.`,
      { cause: error },
    );
  }
}

const PUBLIC_PRIVILEGES = statement('public-database-privileges', { database: 'text' })`
  SELECT quote_ident(current_database()) AS database
  WHERE has_database_privilege('public', current_database(), 'TEMPORARY')
    OR has_database_privilege('public', current_database(), 'CONNECT')`;

const LIST_LOGINS = statement('logins-without-connect', { database: 'text', login: 'text' })`
  SELECT quote_ident(current_database()) AS database, quote_ident(rolname) AS login FROM pg_roles
  WHERE rolname = ANY ($1) AND rolcanlogin AND NOT has_database_privilege(oid, current_database(), 'CONNECT')`;

/**
 * Allows only this database's logins to connect to this database. By default, every login on the server may connect and
 * create temporary tables.
 */
async function prepareDatabase(transaction: Transaction): Promise<void> {
  for (const { database } of await transaction.rows(PUBLIC_PRIVILEGES)) {
    await transaction.run(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  }
  const { database: name } = await transaction.row(READ_DATABASE);
  // In a Citus cluster, the projector's role can log in.
  const names = [ROLES.projector, ...LOGIN_NAMES.map((login) => loginName(name, login))];
  for (const { database, login } of await transaction.rows(LIST_LOGINS, [names])) {
    await transaction.run(`GRANT CONNECT ON DATABASE ${database} TO ${login}`);
  }
}

/**
 * Creates the roles and logins that the server lacks, and changes passwords that differ. Grants each role to the
 * current user, who may then act as that role.
 *
 * @param url the address to which the transaction is connected
 * @throws RolesRefusedError
 */
export async function prepareRoles(transaction: Transaction, passwords: LoginPasswords, url: string): Promise<void> {
  for (const statement of await planRoles(transaction, passwords)) await runRoleStatement(transaction, statement, url);
  await prepareDatabase(transaction);
}

/** Returns the SQL with which an administrator creates and changes the roles; null when nothing is missing. */
export async function rolesScript(transaction: Transaction, passwords: LoginPasswords): Promise<string | null> {
  const statements = await planRoles(transaction, passwords);
  return statements.length === 0 ? null : statements.map(({ sql }) => `${sql};\n`).join('');
}
