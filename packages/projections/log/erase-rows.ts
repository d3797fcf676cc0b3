import type { Transaction } from '@milepost/postgres';
import type { ErasedSubject } from '../engine/index.ts';

/** Removes a driver's rows from a table whose key begins with the driver: no trip of an erased driver is shown. */
export async function deleteDriver(
  transaction: Transaction,
  table: string,
  { fleetId, driverId, pseudonym }: ErasedSubject,
): Promise<void> {
  const values = [fleetId, driverId, pseudonym];
  await transaction.unprepared(`DELETE FROM ${table} WHERE fleet_id = $1 AND driver_id IN ($2, $3)`, values);
}

/** Removes what belongs to a driver's trips from a table whose key is the trip: the log knows which trips there were. */
export async function deleteTripsOfDriver(
  transaction: Transaction,
  table: string,
  { fleetId, driverId, pseudonym }: ErasedSubject,
): Promise<void> {
  await transaction.unprepared(
    `DELETE FROM ${table} WHERE fleet_id = $1 AND driver_id IN ($2, $3) AND trip_id IN (
       SELECT trip_id FROM log.stored_event WHERE fleet_id = $1 AND driver_id IN ($2, $3) AND kind = 1 AND effective)`,
    [fleetId, driverId, pseudonym],
  );
}

/** Puts the pseudonym on a driver's rows of figures, or removes them where nothing is kept. */
export async function eraseFigures(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void> {
  if (!subject.keepAggregates) return await deleteDriver(transaction, table, subject);
  const { fleetId, driverId, pseudonym } = subject;
  const values = [fleetId, driverId, pseudonym];
  await transaction.unprepared(`UPDATE ${table} SET driver_id = $3 WHERE fleet_id = $1 AND driver_id = $2`, values);
}
