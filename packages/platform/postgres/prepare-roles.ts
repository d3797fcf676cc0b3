import { Client } from 'pg';
import { INSUFFICIENT_PRIVILEGE, sqlState } from './errors.ts';
import { LOGIN_NAMES, type LoginPasswords, loginName } from './logins.ts';
import { planRoles, type RoleStatement } from './role-plan.ts';
import { ROLES } from './roles.ts';
import { statement, text } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** The migrating user lacks the right to create or change the missing roles. The message contains the remedy. */
export class RolesRefusedError extends Error {
  override name = 'RolesRefusedError';
}

const DUPLICATE_OBJECT = '42710';
const UNIQUE_VIOLATION = '23505';

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

async function runRoleStatement(transaction: Transaction, { kind, sql, login }: RoleStatement, url: string) {
  try {
    await transaction.inSavepoint(() => transaction.run(sql));
  } catch (error) {
    const state = sqlState(error) ?? '';
    // A migrator of another database on this server has just created the role.
    if (kind === 'create' && [DUPLICATE_OBJECT, UNIQUE_VIOLATION].includes(state)) return;
    if (state !== INSUFFICIENT_PRIVILEGE) throw error;
    if (login && (await canConnect(url, login))) return;
    throw new RolesRefusedError(
      `The user ${new URL(url).username} is not allowed to run \`${sql.replace(/ PASSWORD .*/, ' PASSWORD ...')}\`: ask an administrator to run the SQL that \`milepost migrate --print-roles\` prints, and run \`milepost migrate\` again.`,
      { cause: error },
    );
  }
}

const PUBLIC_PRIVILEGES = statement('public-database-privileges', { database: text })`
  SELECT quote_ident(current_database()) AS database
  WHERE has_database_privilege('public', current_database(), 'TEMPORARY')
    OR has_database_privilege('public', current_database(), 'CONNECT')`;

const LIST_LOGINS = statement('logins-without-connect', { database: text, login: text })`
  SELECT quote_ident(current_database()) AS database, quote_ident(rolname) AS login FROM pg_roles
  WHERE rolname = ANY ($1) AND rolcanlogin AND NOT has_database_privilege(oid, current_database(), 'CONNECT')`;

const READ_NAME = statement('database-name', { database: text })`SELECT current_database()::text AS database`;

/**
 * Allows only this database's logins to connect to this database. By default, every login on the server may connect and
 * create temporary tables.
 */
async function prepareDatabase(transaction: Transaction): Promise<void> {
  for (const { database } of await transaction.rows(PUBLIC_PRIVILEGES)) {
    await transaction.run(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  }
  const [current] = await transaction.rows(READ_NAME);
  // In a Citus cluster, the projector's role can log in.
  const names = [ROLES.projector, ...LOGIN_NAMES.map((login) => loginName(current?.database ?? '', login))];
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
