import type { Job } from '@milepost/operations/operation';

/** The one queue, for everything that takes longer than a request. */
export const QUEUE_NAME = 'milepost';

/** Two jobs for the same thing are one while the first has not ended. */
export function jobIdOf(data: Job): string {
  return data.kind === 'replay' ? `replay-${data.id}` : data.kind;
}
