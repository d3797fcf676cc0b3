import { createHmac } from 'node:crypto';
import { ROLES } from './roles.ts';

/**
 * The roles that the login of each process may set. By default it acts as the first one. It has no other rights, except
 * that the login of `ops` may see and end the sessions of the other logins. Operators' commands use this login.
 */
export const LOGINS = {
  api: [ROLES.api],
  ingest: [ROLES.ingest],
  projector: [ROLES.projector],
  // Retries of dead letters act as ingest, erasures as the eraser, and replays as the projector.
  ops: [ROLES.operator, ROLES.ingest, ROLES.eraser, ROLES.projector],
} as const;

export type Login = keyof typeof LOGINS;

/** The logins to create, each with its password. */
export type LoginPasswords = { readonly [login in Login]?: string | undefined };

export const LOGIN_NAMES: readonly Login[] = ['api', 'ingest', 'projector', 'ops'];

/** The maximum length of a name in PostgreSQL, which truncates longer names. */
const MAX_NAME_BYTES = 63;

/**
 * The name of a login in PostgreSQL. Logins belong to the whole server, so the name begins with the database's name:
 * two databases of one server have different logins.
 *
 * @throws RangeError for a database whose name is too long
 */
export function loginName(database: string, login: Login): string {
  const name = `${database}_${login}_login`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  throw new RangeError(
    `The name of the database ${database} is too long for the logins of its processes: it may have at most 47 bytes.`,
  );
}

/**
 * The URL of a login on an embedded server, from the owner's URL. The login's password is derived from the owner's
 * password by a one-way function, so it need not be stored.
 */
export function loginUrl(ownerUrl: string, login: Login): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', url.password).update(login).digest('hex');
  url.username = loginName(decodeURIComponent(url.pathname.slice(1)), login);
  return url.href;
}

/** The passwords in the URLs that `loginUrl` returns. */
export function derivedPasswords(ownerUrl: string): LoginPasswords {
  return Object.fromEntries(LOGIN_NAMES.map((login) => [login, new URL(loginUrl(ownerUrl, login)).password]));
}
