import { STORED_EVENT_KINDS } from '@milepost/event-log';
import type { Statement, Transaction } from '@milepost/postgres';
import { type ErasedDriver, erasedMark } from '../erased-driver.ts';

/** Erasures are a source of their own, whose counts add up as those of all others. Kafka allows no colon in a topic. */
export const ERASURE_SOURCE = 'operator:erasures';

const TAKE_OFFSET: Statement = {
  name: 'take-erasure-offset',
  text: `INSERT INTO log.source AS source (topic, partition, next_offset, records_read, records_stored)
         VALUES ('${ERASURE_SOURCE}', 0, 1, 1, 1)
         ON CONFLICT (topic, partition) DO UPDATE SET next_offset = source.next_offset + 1,
           records_read = source.records_read + 1, records_stored = source.records_stored + 1
         RETURNING source_id, next_offset - 1 AS "offset"`,
};

const INSERT_EVENT: Statement = {
  name: 'insert-driver-erased',
  text: `INSERT INTO log.stored_event (position, stored_at, source_offset, revision, source_id, kind, effective,
           content_hash, fleet_id, driver_id, erased)
         VALUES ($1, now(), $2, 1, $3, ${STORED_EVENT_KINDS['driver.erased']}, true, '', $4, $5, $6)`,
};

const INSERT_ERASURE: Statement = {
  name: 'insert-erasure',
  text: `INSERT INTO log.erasure (position, fleet_id, driver_hash, keep_aggregates, reason) VALUES ($1, $2, $3, $4, $5)`,
};

const MARK_HEAD: Statement = {
  name: 'mark-head-erasures',
  text: 'UPDATE log.head SET has_erasures = true WHERE NOT has_erasures',
};

/** Nobody shall be able to confirm a guess of what the last record said that was read of a source. */
const FORGET_LAST_RECORDS: Statement = {
  name: 'forget-last-records',
  text: 'UPDATE log.source SET last_hash = NULL WHERE last_hash IS NOT NULL',
};

/** Says at `position`, the one after the last, that the driver was erased. The caller has locked the head and moves it. */
export async function appendErasure(
  transaction: Transaction,
  driver: ErasedDriver,
  hash: Buffer,
  position: number,
  reason: string,
): Promise<void> {
  const [source] = await transaction.rows<{ source_id: number; offset: number }>(TAKE_OFFSET);
  if (!source) throw new Error('The source of erasures could not be written.');
  const { fleetId, pseudonym, keepAggregates } = driver;
  await transaction.execute(INSERT_EVENT, [
    position,
    source.offset,
    source.source_id,
    fleetId,
    pseudonym,
    erasedMark(driver),
  ]);
  await transaction.execute(INSERT_ERASURE, [position, fleetId, hash, keepAggregates, reason]);
  await transaction.execute(MARK_HEAD);
  await transaction.execute(FORGET_LAST_RECORDS);
}
