import { type IncomingRecord, readArchivedRecord } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { readEventsOfFleet } from './log.ts';
import { recordLine } from './record-line.ts';

/** Limits how long one statement takes, because it reads the stored events of all fleets in the range. */
const MAX_RANGE_POSITIONS = 50_000;

/** The records of a fleet in a part of the log. */
interface FleetRecords {
  /** The offset of each record is its position. */
  records: IncomingRecord[];
  /** The last position that was read. */
  through: number;
}

/**
 * Reads a fleet's next records after a position of the log, in the form of an archive's records.
 *
 * @param pool connections made as the role `milepost_projector`, which may read the whole log
 * @param head the last position to read
 * @throws when a driver of the fleet was erased, because some stored events then have no record
 */
export async function readFleetRecords(
  pool: Pool,
  fleetId: string,
  after: number,
  head: number,
): Promise<FleetRecords> {
  const end = Math.min(after + MAX_RANGE_POSITIONS, head);
  const rows = await readEventsOfFleet(pool, fleetId, after, end);
  const records = rows.map((row) => {
    const { position, erased, traceparent, set_aside: setAside } = row;
    if (erased)
      throw new Error(
        `The stored event at position ${position} of the fleet ${fleetId} is erased, so it cannot be copied.`,
      );
    const raw = Buffer.from(recordLine(row, { from: 1, through: head }));
    return { offset: position, raw, prepared: readArchivedRecord(raw, Date.now()), traceparent, setAside };
  });
  return { records, through: rows.at(-1)?.position ?? end };
}
