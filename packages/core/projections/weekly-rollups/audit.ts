import type { Audit } from '../engine/index.ts';
import { mondayOf } from '../log/audit.ts';
import { causesOfDays, DRIVEN_DAYS, SUMMARY_FIELDS, sumFields, summaryInJson } from '../rollups/audit.ts';

const KEY = `concat(rollup.fleet_id, '/', rollup.driver_id)`;
const MONDAY = mondayOf('rollup.date');
const soFar = (figure: string) => `sum(rollup.${figure}) OVER week_so_far`;

/**
 * Compares each week-to-date row with the sums of the driver's trips since Monday. Scores are not compared, because
 * they follow from the sums.
 */
export const audit: Audit = {
  fields: {
    ...sumFields(soFar),
    week: [MONDAY, 'rollup.start_date'],
    start_date: [MONDAY, 'summary.start_date'],
    end_date: [`${MONDAY} + 6`, 'summary.end_date'],
    sums: [`concat('{', concat_ws(',', ${SUMMARY_FIELDS.map(soFar).join(', ')}), '}')`, 'rollup.sums'],
  },
  expected: (value) => `
    SELECT rollup.date AS day, ${KEY} AS key, ${value} AS value FROM (${DRIVEN_DAYS}) rollup
    WINDOW week_so_far AS (PARTITION BY rollup.fleet_id, rollup.driver_id, ${MONDAY} ORDER BY rollup.date)`,
  actual: (table, value) => `
    SELECT rollup.through_date AS day, ${KEY} AS key, ${value} AS value
    FROM ${table} rollup, ${summaryInJson('rollup.totals', 'start_date date, end_date date')}`,
  causes: causesOfDays(mondayOf('wanted.day::date'), 'wanted.day::date'),
};
