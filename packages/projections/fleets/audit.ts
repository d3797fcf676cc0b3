import { auditedValue, type ProjectionAudit } from '@milepost/audit';

const FIELDS = ['position'];

/** The fleets by the last position at which the log names them. Behind a row is the stored event there. */
export const fleetsAudit: ProjectionAudit = {
  projection: 'fleets',
  fields: FIELDS,
  expected: `
    SELECT NULL::date AS day, fleet_id AS key, ${auditedValue(FIELDS, { position: 'max(position)' })} AS value
    FROM log.stored_event WHERE position <= $1 GROUP BY fleet_id`,
  actual: (table) => `
    SELECT NULL::date AS day, fleet_id AS key, ${auditedValue(FIELDS, { position: 'position' })} AS value FROM ${table}`,
  behind: 'SELECT position FROM log.stored_event WHERE fleet_id = wanted.key ORDER BY position DESC LIMIT 1',
};
