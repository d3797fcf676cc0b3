import { append, claimSource, type IncomingRecord, type SourceClaim } from '@milepost/event-log';
import { type Pool, type RetryOptions, retryPassingFaults } from '@milepost/postgres';

/**
 * Appends a batch of a file for as long as passing faults last. A failed COMMIT may have succeeded all the same, so every
 * further attempt first asks the log how far it has come.
 */
export async function storeFileBatch(
  pool: Pool,
  claim: SourceClaim,
  records: IncomingRecord[],
  nextOffset: number,
  retry: RetryOptions,
): Promise<SourceClaim> {
  let current = claim;
  let failed = false;
  return await retryPassingFaults(
    async () => {
      if (failed) current = await claimSource(pool, claim.topic, claim.partition);
      if (current.nextOffset >= nextOffset) return current;
      return (await append(pool, current, records, nextOffset)).claim;
    },
    {
      signal: retry.signal,
      onFault: (error, delayMilliseconds) => {
        failed = true;
        retry.onFault(error, delayMilliseconds);
      },
    },
  );
}
