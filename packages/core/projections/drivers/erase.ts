import { columns, type Transaction } from '@milepost/postgres';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import type { ErasedSubject } from '../engine/index.ts';
import { dayInProfile, toDriver } from './driver-row.ts';

/** Reads the first and the last day on which the driver has trips. */
const readDriver = tableStatement('drivers:read-erased', {
  ordinal: 'number',
  ...columns('number?', 'first_travel_day', 'last_travel_day'),
})`
  SELECT ordinal, ${dayInProfile('first_travel_date', 'profile')} AS first_travel_day,
    ${dayInProfile('last_travel_date', 'profile')} AS last_travel_day
  FROM ${table} WHERE fleet_id = $1 AND driver_id IN ($2, $3)`;

const writeErased = tableStatement('drivers:write-erased')`
  UPDATE ${table} SET driver_id = $3, profile = $4 WHERE fleet_id = $1 AND driver_id IN ($2, $3)`;

/**
 * Reduces a driver's row to the pseudonym, and to the travel dates if the figures are kept. The row is not deleted,
 * because that would shift every later page of the driver list.
 */
export async function eraseDriver(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void> {
  const { fleetId, id, pseudonym, keepAggregates } = subject;
  const [found] = await transaction.rows(readDriver(table), [fleetId, id, pseudonym]);
  if (!found) return;
  const profile = toDriver({
    fleet_id: fleetId,
    driver_id: pseudonym,
    first_name: null,
    last_name: null,
    email: null,
    alias: null,
    ordinal: found.ordinal,
    first_travel_day: keepAggregates ? found.first_travel_day : null,
    last_travel_day: keepAggregates ? found.last_travel_day : null,
  });
  await transaction.execute(writeErased(table), [fleetId, id, pseudonym, profile]);
}
