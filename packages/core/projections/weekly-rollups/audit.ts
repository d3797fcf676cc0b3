import { type Audit, auditedValue } from '../engine/index.ts';
import { mondayOf } from '../log/audit.ts';
import { causesOfDays, DRIVEN_DAYS, SUMMARY_FIELDS, sumsFromJson, sumsFromLog } from '../rollups/audit.ts';

const FIELDS = [...SUMMARY_FIELDS, 'week', 'start_date', 'end_date', 'sums'];
const KEY = `concat(rollup.fleet_id, '/', rollup.driver_id)`;
const FROM_JSON = sumsFromJson('rollup.totals', 'start_date date, end_date date');

const EXPECTED = auditedValue(FIELDS, {
  ...sumsFromLog((figure) => `sum(rollup.${figure}) OVER week_so_far`),
  week: mondayOf('rollup.date'),
  start_date: mondayOf('rollup.date'),
  end_date: `${mondayOf('rollup.date')} + 6`,
  sums: `concat('{', concat_ws(',', ${SUMMARY_FIELDS.map((figure) => `sum(rollup.${figure}) OVER week_so_far`).join(', ')}), '}')`,
});

const ACTUAL = auditedValue(FIELDS, {
  ...FROM_JSON.fields,
  week: 'rollup.start_date',
  start_date: 'summary.start_date',
  end_date: 'summary.end_date',
  sums: 'rollup.sums',
});

/**
 * Compares each week-to-date row with the sums of the driver's trips since Monday. Scores are not compared, because
 * they follow from the sums.
 */
export const audit: Audit = {
  fields: FIELDS,
  expected: `
    SELECT rollup.date AS day, ${KEY} AS key, ${EXPECTED} AS value FROM (${DRIVEN_DAYS}) rollup
    WINDOW week_so_far AS (PARTITION BY rollup.fleet_id, rollup.driver_id, ${mondayOf('rollup.date')} ORDER BY rollup.date)`,
  actual: (table) => `
    SELECT rollup.through_date AS day, ${KEY} AS key, ${ACTUAL} AS value FROM ${table} rollup, ${FROM_JSON.join}`,
  causes: causesOfDays(mondayOf('wanted.day::date'), 'wanted.day::date'),
};
