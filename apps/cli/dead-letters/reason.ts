import { UsageError } from '../failure.ts';

/** Throws UsageError when a reason code is none of the closed list; undefined is no reason given. */
export async function assertReason(reason: string | undefined): Promise<void> {
  if (reason === undefined) return;
  // Imported here: loading the parser's package would slow the help of every command down.
  const { DEAD_LETTER_REASONS } = await import('@milepost/domain/records');
  if (!Object.hasOwn(DEAD_LETTER_REASONS, reason)) {
    throw new UsageError(`--reason must be one of ${Object.keys(DEAD_LETTER_REASONS).join(', ')}, and is "${reason}".`);
  }
}
