import type { Transaction } from '@milepost/postgres';

/** Any number that no other software takes as an advisory lock in this database. */
const LOCK_KEY = 7_240_615_004;

/**
 * SQL that begins whatever builds a generation from the log: such transactions run side by side, and whoever changes what
 * the log holds waits for them and lets no other begin. An advisory lock, because its queue is fair: row locks that many
 * share in turn may never be had alone.
 */
export const BEGIN_BUILDING = `SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`;

/** Waits until nothing is being built from the log, and keeps it so until the transaction ends. */
export async function stopBuilding(transaction: Transaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
}
