import { readFleetRecords } from '@milepost/archive';
import { appendTogether } from '@milepost/event-log/append';
import { readHeadPosition } from '@milepost/event-log/head';
import type { SourceClaim } from '@milepost/event-log/sources';
import type { Pool } from '@milepost/postgres';
import { prefetch } from '@milepost/postgres/prefetch';
import { MoveRefusedError } from './errors.ts';

/** A copy's fleet and lanes. */
export interface Copy {
  fleetId: string;
  /** Connections to the fleet's lane, made as the role `milepost_projector`. */
  from: Pool;
  /** Connections to the fleet's new lane, made as the role `milepost_ingest`. */
  to: Pool;
  signal: AbortSignal;
  /** Called with the position up to which the log has been read, and the log's last position. */
  onProgress: (position: number, head: number) => Promise<void>;
}

/**
 * Copies the fleet's stored events up to the head of its lane. Events that the new lane already has count as
 * duplicates.
 *
 * @returns the claim, whose next offset follows the last position that has been read
 * @throws MoveRefusedError when the new lane refuses a record
 * @throws SourceFencedError when another process has taken over the move
 */
export async function copyEvents(copy: Copy, claim: SourceClaim): Promise<SourceClaim> {
  const head = await readHeadPosition(copy.from);
  let current = claim;
  // The offsets in a source start at 0, but the positions in a log start at 1.
  const after = Math.max(0, claim.nextOffset - 1);
  for await (const { records, through } of prefetch(readFleetRecords(copy.from, copy.fleetId, after, head))) {
    if (records.length > 0 || through === head) {
      const batch = { claim: current, records, nextOffset: through + 1, isCopy: true };
      const { appended, deadLetterReasons } = await appendTogether(copy.to, [batch]);
      current = appended[0]?.claim ?? current;
      const [reason] = deadLetterReasons;
      if (reason !== undefined) {
        throw new MoveRefusedError(
          `The new lane refuses a record about fleet ${copy.fleetId} (${reason}): \`milepost dead-letters list\` for that lane shows the cause.`,
        );
      }
    }
    await copy.onProgress(through, head);
    // Without this check, a stopped move would first wait for the next read.
    copy.signal.throwIfAborted();
  }
  return current;
}
