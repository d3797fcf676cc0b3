import { lockOfSchema, type Transaction } from '@milepost/postgres';

/** No other software uses this number for advisory locks in this database. */
const BUILDING_LOCK = 724_061_504;

/**
 * SQL that starts each transaction that builds a generation from the log. These transactions run concurrently. A
 * transaction that changes the log waits until they end, and builds that start later wait for that transaction. The
 * lock is an advisory lock because its queue is fair. A row lock shared by many transactions might never become free.
 */
export const BEGIN_BUILDING = `SELECT pg_advisory_xact_lock_shared(${lockOfSchema(BUILDING_LOCK)})`;

/** Starts a transaction that builds a generation from the log. */
export async function beginBuilding(transaction: Transaction): Promise<void> {
  await transaction.run(BEGIN_BUILDING);
}

/** Waits until no transaction is building a generation from the log. Blocks new builds until this transaction ends. */
export async function stopBuilding(transaction: Transaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${lockOfSchema(BUILDING_LOCK)})`);
}
