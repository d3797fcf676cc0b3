import { userInfo } from 'node:os';
import { recorded } from '@milepost/operations/audit-trail';
import type { Pool } from '@milepost/postgres';

/** Who runs this program, by the operating system's word. A container may run as a number that has no name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Runs what a command changes, and records it in the audit trail with the operating system's user as the actor.
 *
 * @param action such as `keys.create`
 * @param parameters what the command was given; never a secret
 * @param describe what came of it, a few words for the audit trail; never a secret
 */
export async function recordedCommand<Result>(
  pool: Pool,
  action: string,
  parameters: object,
  work: () => Promise<Result>,
  describe?: (result: Result) => string | null,
): Promise<Result> {
  return await recorded(pool, { actor: operatingSystemUser(), via: 'cli', action, parameters }, work, describe);
}
