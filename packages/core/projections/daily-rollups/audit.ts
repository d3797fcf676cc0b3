import { type Audit, auditedValue } from '../engine/index.ts';
import { causesOfDays, DRIVEN_DAYS, SUMMARY_FIELDS, sumsFromJson, sumsFromLog } from '../rollups/audit.ts';

const FIELDS = [...SUMMARY_FIELDS, 'date'];
const KEY = `concat(rollup.fleet_id, '/', rollup.driver_id)`;
const FROM_JSON = sumsFromJson('rollup.summary', 'date date');

/**
 * Compares each driver's summary of a day with the sums of the driver's trips on that day. Scores are not compared,
 * because they follow from the sums.
 */
export const audit: Audit = {
  fields: FIELDS,
  expected: `
    SELECT rollup.date AS day, ${KEY} AS key,
      ${auditedValue(FIELDS, { ...sumsFromLog((figure) => `rollup.${figure}`), date: 'rollup.date' })} AS value
    FROM (${DRIVEN_DAYS}) rollup`,
  actual: (table) => `
    SELECT rollup.date AS day, ${KEY} AS key, ${auditedValue(FIELDS, { ...FROM_JSON.fields, date: 'summary.date' })} AS value
    FROM ${table} rollup, ${FROM_JSON.join}`,
  causes: causesOfDays('wanted.day::date', 'wanted.day::date'),
};
