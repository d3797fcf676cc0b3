import { userInfo } from 'node:os';
import { recorded } from '@milepost/operations/audit-trail';
import type { Pool } from '@milepost/postgres';

/** Returns the user of the operating system. In a container, this may be a number without a name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Makes a change for a command, and records it in the audit trail. The actor is the user of the operating system.
 *
 * @param action such as `keys.create`
 * @param parameters the input of the command, which must not contain a secret
 * @param describe returns the result in a few words for the audit trail, also without secrets
 */
export async function recordedCommand<Result>(
  directory: Pool,
  action: string,
  parameters: object,
  work: () => Promise<Result>,
  describe?: (result: Result) => string | null,
): Promise<Result> {
  return await recorded(directory, { actor: operatingSystemUser(), via: 'cli', action, parameters }, work, describe);
}
