import type { Audit } from '../engine/index.ts';
import { causesOfDays, DRIVEN_DAYS, sumFields, summaryInJson } from '../rollups/audit.ts';

const KEY = `concat(rollup.fleet_id, '/', rollup.driver_id)`;

/**
 * Compares each driver's summary of a day with the sums of the driver's trips on that day. Scores are not compared,
 * because they follow from the sums.
 */
export const audit: Audit = {
  fields: { ...sumFields((figure) => `rollup.${figure}`), date: ['rollup.date', 'summary.date'] },
  expected: (value) => `SELECT rollup.date AS day, ${KEY} AS key, ${value} AS value FROM (${DRIVEN_DAYS}) rollup`,
  actual: (table, value) => `
    SELECT rollup.date AS day, ${KEY} AS key, ${value} AS value
    FROM ${table} rollup, ${summaryInJson('rollup.summary', 'date date')}`,
  causes: causesOfDays('wanted.day::date', 'wanted.day::date'),
};
