import { createHmac } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { ROLES } from './pool.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * The roles that each process's login may act in, and it has no rights but theirs. Operators' commands use that of `ops`.
 */
const LOGINS = {
  api: [ROLES.api],
  ingest: [ROLES.ingest],
  projector: [ROLES.projector],
  // Dead letters are tried again as ingest, drivers are erased as the eraser, read tables are built as the projector.
  ops: [ROLES.operator, ROLES.ingest, ROLES.eraser, ROLES.projector],
} as const;

export type Login = keyof typeof LOGINS;

/** A login is made for each process that has a password here. */
export type LoginPasswords = { readonly [login in Login]?: string | undefined };

const NAMES: readonly Login[] = ['api', 'ingest', 'projector', 'ops'];

function nameOf(login: Login): string {
  return `milepost_${login}_login`;
}

const FIND_ROLE = statement('login-exists')`SELECT FROM pg_roles WHERE rolname = $1`;

/** Makes logins, or gives those that exist the password. Logins belong to the whole server. */
export async function prepareLogins(transaction: Transaction, passwords: LoginPasswords): Promise<void> {
  for (const login of NAMES) {
    const password = passwords[login];
    if (password === undefined) continue;
    const name = nameOf(login);
    if ((await transaction.execute(FIND_ROLE, [name])) === 0) await transaction.run(`CREATE ROLE ${name}`);
    await transaction.run(`ALTER ROLE ${name} LOGIN PASSWORD ${escapeLiteral(password)}`);
    // Not inherited: between two roles the login may do nothing.
    await transaction.run(`GRANT ${LOGINS[login].join(', ')} TO ${name} WITH INHERIT FALSE, SET TRUE`);
  }
}

/**
 * The address of a login on a server of ours, whose owner's address is given. Its password follows from the owner's and
 * does not give that away, so nothing has to be kept.
 */
export function loginUrl(ownerUrl: string, login: Login): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', url.password).update(login).digest('hex');
  url.username = nameOf(login);
  return url.href;
}

/** The passwords in the addresses that `loginUrl` returns. */
export function derivedPasswords(ownerUrl: string): LoginPasswords {
  return Object.fromEntries(NAMES.map((login) => [login, new URL(loginUrl(ownerUrl, login)).password]));
}
