import type { QueryString } from '@milepost/http';
import Type from 'typebox';
import { isDriverId } from './path-ids.ts';

const NAME = 'driver_id';
const MOST = 20;

export const DriverIds = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  minItems: 1,
  maxItems: MOST,
  description: `Repeated once per driver, 1 to ${MOST} of them. The answer has their order.`,
});

/** The drivers asked for, in order; a driver named again keeps the first place and counts once. */
export function readDriverIds(query: QueryString): string[] {
  if (!query.has(NAME)) {
    query.reject(NAME, `Required: once per driver, 1 to ${MOST} drivers, as in driver_id=first&driver_id=second.`);
    return [];
  }
  const ids = [...new Set(query.all(NAME))];
  if (ids.length > MOST) query.reject(NAME, `Must name at most ${MOST} drivers, and names ${ids.length}.`);
  if (!ids.every(isDriverId)) query.reject(NAME, 'Must be 1 to 256 characters, without control characters.');
  return ids;
}
