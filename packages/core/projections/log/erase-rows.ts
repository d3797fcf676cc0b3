import type { Transaction } from '@milepost/postgres';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import type { ErasedSubject } from '../engine/index.ts';

const OF_DRIVER = 'fleet_id = $1 AND driver_id IN ($2, $3)';
const values = ({ fleetId, id, pseudonym }: ErasedSubject) => [fleetId, id, pseudonym];

const deleteRows = tableStatement('erase:delete-driver')`DELETE FROM ${table} WHERE ${OF_DRIVER}`;

/**
 * Deletes a driver's rows, because an erased driver's trips must not be visible. The key must begin with the driver.
 */
export async function deleteDriver(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void> {
  await transaction.execute(deleteRows(table), values(subject));
}

const renameDriver = tableStatement('erase:rename-driver')`
  UPDATE ${table} SET driver_id = $3 WHERE fleet_id = $1 AND driver_id = $2`;

/** Replaces the driver with the pseudonym in rows of figures, or deletes these rows if no figures are kept. */
export async function eraseFigures(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void> {
  if (!subject.keepAggregates) return await deleteDriver(transaction, table, subject);
  await transaction.execute(renameDriver(table), values(subject));
}
