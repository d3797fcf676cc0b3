import { type Login, loginUrl } from './login-url.ts';
import { ROLES, type Role } from './roles.ts';

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

/** Returns the passwords in the URLs returned by `loginUrl`. */
export function derivedPasswords(ownerUrl: string): LoginPasswords {
  return Object.fromEntries(LOGIN_NAMES.map((login) => [login, new URL(loginUrl(ownerUrl, login)).password]));
}
