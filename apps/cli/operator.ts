import { userInfo } from 'node:os';
import { type Outcome, recordOperation } from '@milepost/operations/audit-trail';
import { Refusal } from '@milepost/operations/refusal';
import { refusalSentence } from '@milepost/operations/refusals';
import type { Pool } from '@milepost/postgres';
import { messageOf } from '@milepost/service';

/** Returns the operating system user. In a container, this may be a number without a name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Runs the `work` of a command, and records it in the audit trail. The actor is the operating system user. The outcome
 * is `done` when `work` resolves. When `work` throws, the outcome is `refused` or `failed` with the reason, and the
 * error is rethrown. If a success cannot be recorded, the error from recording it is thrown.
 *
 * @param attempt the operation, such as `keys.create`, and the command's input, which must not contain secrets; `work`
 *   may change the input and the lane
 * @param describe returns the result in a few words for the audit trail; never a secret
 */
export async function recorded<Result>(
  directory: Pool,
  attempt: { action: string; parameters: object; lane?: number },
  work: () => Promise<Result>,
  describe: (result: Result) => string | null = () => null,
): Promise<Result> {
  const record = async (outcome: Outcome) =>
    await recordOperation(directory, { ...attempt, actor: operatingSystemUser(), via: 'cli' }, outcome);
  const result = await work().catch(async (error: unknown) => {
    const refusal = error instanceof Refusal ? refusalSentence(error.reason) : null;
    const outcome = refusal === null ? 'failed' : 'refused';
    // The original error is more useful than the error from a database that is down.
    await record({ outcome, detail: refusal ?? messageOf(error) }).catch(() => {});
    throw error;
  });
  await record({ outcome: 'done', detail: describe(result) });
  return result;
}
