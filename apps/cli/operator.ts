import { userInfo } from 'node:os';
import { recorded } from '@milepost/operations/audit-trail';
import type { Pool } from '@milepost/postgres';

/** Returns the operating system user. In a container, this may be a number without a name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Makes a change for a command, and records it in the audit trail. The actor is the operating system user.
 *
 * @param action such as `keys.create`
 * @param parameters the command's input, which must not contain secrets
 * @param describe describes the result for the audit trail in a few words, which must not contain secrets
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
