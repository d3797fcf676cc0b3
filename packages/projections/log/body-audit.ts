import { auditedValue, type ProjectionAudit } from '@milepost/audit';
import { BEHIND_TRIP, DAY_OF_TRIP, TRIP_KEY, TRIPS_SHOWN } from './audit.ts';

const FIELDS = ['driver_id', 'bytes', 'md5'];

function bytesOf(driver: string, bytes: string): string {
  return auditedValue(FIELDS, { driver_id: driver, bytes: `octet_length(${bytes})`, md5: `md5(${bytes})` });
}

/** Audits a read table that copies one column of the trips' bodies, where it is not null. */
export function bodyAudit(projection: string, column: string): ProjectionAudit {
  return {
    projection,
    fields: FIELDS,
    expected: `
      SELECT ${DAY_OF_TRIP} AS day, ${TRIP_KEY} AS key, ${bytesOf('trip.driver_id', `body.${column}`)} AS value
      FROM (SELECT trip.* FROM ${TRIPS_SHOWN}) trip JOIN log.trip_body body ON body.position = trip.position
      WHERE body.${column} IS NOT NULL`,
    actual: (table) => `
      SELECT trip_date AS day, ${TRIP_KEY} AS key, ${bytesOf('driver_id', column)} AS value FROM ${table}`,
    behind: BEHIND_TRIP,
  };
}
