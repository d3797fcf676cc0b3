import { type IncomingRecord, readArchivedRecord } from '@milepost/event-log/prepare';
import { type Pool, query } from '@milepost/postgres';
import { READ_EVENTS_OF_FLEET } from './log.ts';
import { recordLine } from './record-line.ts';

/** Limits the duration of one statement, which reads the stored events of all fleets in the range. */
const MAX_RANGE_POSITIONS = 50_000;

/**
 * Reads a fleet's records after a position in the log, up to the head, in the form of archive records. The offset of
 * each record is its position. Yields parts, each with the last position that has been read (`through`).
 *
 * @param pool connections made as the role `milepost_projector`, which may read the whole log
 * @param head the last position to read
 * @throws when one of the stored events has no record, because a driver of the fleet was erased
 */
export async function* readFleetRecords(pool: Pool, fleetId: string, after: number, head: number) {
  for (let through = after; through < head; ) {
    const end = Math.min(through + MAX_RANGE_POSITIONS, head);
    const rows = await query(pool, READ_EVENTS_OF_FLEET, [through, end, fleetId]);
    const records = rows.map((row): IncomingRecord => {
      const { position, erased, traceparent, set_aside: setAside } = row;
      if (erased)
        throw new Error(
          `Fleet ${fleetId} cannot be copied, because its stored event at position ${position} has been erased.`,
        );
      const raw = Buffer.from(recordLine(row, { from: 1, through: head }));
      return { offset: position, raw, prepared: readArchivedRecord(raw, Date.now()), traceparent, setAside };
    });
    through = rows.at(-1)?.position ?? end;
    yield { records, through };
  }
}
