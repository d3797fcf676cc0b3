import { createHmac } from 'node:crypto';
import { ROLES, type Role } from './roles.ts';

/** The processes that have a login. Operators' commands use the login `ops`. */
export type Login = 'api' | 'ingest' | 'projector' | 'ops';

/**
 * The roles that each process's login may act as, starting with its default role. A login has no other rights, except
 * that `ops` may see and end the sessions of the other logins.
 */
export const LOGINS: Readonly<Record<Login, readonly [Role, ...Role[]]>> = {
  api: [ROLES.api],
  ingest: [ROLES.ingest],
  projector: [ROLES.projector],
  // Dead-letter retries act as ingest, erasures as the eraser, and replays as the projector.
  ops: [ROLES.operator, ROLES.ingest, ROLES.eraser, ROLES.projector],
};

/** The passwords of the logins to create. */
export type LoginPasswords = { readonly [login in Login]?: string | undefined };

export const LOGIN_NAMES: readonly Login[] = ['api', 'ingest', 'projector', 'ops'];

/** The maximum length of a name in PostgreSQL, which would truncate a longer one. */
const MAX_NAME_BYTES = 63;

/**
 * Returns the name of a login in PostgreSQL. Logins belong to the whole server, and two databases on one server must
 * have different logins, so the name begins with the database's name.
 *
 * @throws RangeError for a database whose name is too long
 */
export function loginName(database: string, login: Login): string {
  const name = `${database}_${login}_login`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  throw new RangeError(
    `The database name ${database} is too long for its processes' logins: it may be at most 47 bytes long.`,
  );
}

/**
 * Returns the URL with which a login reaches an embedded server, derived from the owner's URL. A one-way function
 * derives the login's password from the owner's, so it need not be stored.
 */
export function loginUrl(ownerUrl: string, login: Login): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', url.password).update(login).digest('hex');
  url.username = loginName(decodeURIComponent(url.pathname.slice(1)), login);
  return url.href;
}

/** Returns the passwords in the URLs returned by `loginUrl`. */
export function derivedPasswords(ownerUrl: string): LoginPasswords {
  return Object.fromEntries(LOGIN_NAMES.map((login) => [login, new URL(loginUrl(ownerUrl, login)).password]));
}
