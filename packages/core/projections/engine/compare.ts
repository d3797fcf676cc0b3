import { boolean, columns, nullable, number, type RowOf, type Transaction, text } from '@milepost/postgres';

/**
 * SQL that lists rows to compare: columns `day` (a date, or null where the rows have none), `key` and `value`, both
 * text.
 */
export type ComparableRows = string;

/** Samples truncate longer values. */
const SAMPLE_CHARACTERS = 2_000;
const MAX_SAMPLES = 20;
const MAX_DAYS = 400;

/** Two sides whose rows should be equal. Both may use `$1` and `$2`, which are `parameters`. */
export interface Comparison {
  left: ComparableRows;
  right: ComparableRows;
  parameters: readonly unknown[];
  /**
   * The comparison excludes rows of earlier days (`YYYY-MM-DD`). If null, it excludes no row. It always includes rows
   * without a day.
   */
  cutoff: string | null;
}

interface DayComparison {
  day: string | null;
  left_rows: number;
  right_rows: number;
}

export interface RowDifference {
  day: string | null;
  key: string;
  left: string | null;
  right: string | null;
}

export interface ComparisonResult {
  left_rows: number;
  right_rows: number;
  /** Keys that only one side has, or whose values differ. */
  differences: number;
  differing_day_count: number;
  differing_days: DayComparison[];
  samples: RowDifference[];
}

/** A day as text: `''` when there is none, because a full join does not match nulls. */
const DAY = `coalesce(to_char(day, 'YYYY-MM-DD'), '')`;

function atCutoff(cutoff: string | null): string {
  return cutoff === null ? 'true' : `day IS NULL OR day >= date '${cutoff}'`;
}

function kept(rows: ComparableRows, cutoff: string | null): string {
  return `(SELECT ${DAY} AS day, key COLLATE "C" AS key, value COLLATE "C" AS value FROM (${rows}) row WHERE ${atCutoff(cutoff)})`;
}

/**
 * Returns SQL that selects, for each day, the number of rows and a hash that depends on their order. The hash of a row
 * has 64 bits, and the hashes of a day are chained in the order of the keys. OFFSET 0 prevents the planner from sorting
 * whole values before hashing, which takes twice as long and is not parallel.
 */
function digests(rows: ComparableRows, cutoff: string | null): string {
  return `SELECT ${DAY} AS day, count(*) AS rows, md5(string_agg(hash::text, ',' ORDER BY key, hash)) AS hash FROM (
      SELECT day, key COLLATE "C" AS key, hashtextextended(concat(key, '=', value), 0) AS hash
      FROM (${rows}) row WHERE ${atCutoff(cutoff)} OFFSET 0) hashed GROUP BY hashed.day`;
}

const DAY_COLUMNS = { day: text, left_rows: number, right_rows: number, equal: boolean };

async function compareDays(transaction: Transaction, { left, right, parameters, cutoff }: Comparison) {
  return await transaction.unprepared(
    DAY_COLUMNS,
    `SELECT day, coalesce(l.rows, 0) AS left_rows, coalesce(r.rows, 0) AS right_rows, coalesce(l.hash = r.hash, false) AS equal
     FROM (${digests(left, cutoff)}) l FULL JOIN (${digests(right, cutoff)}) r USING (day) ORDER BY day`,
    [...parameters],
  );
}

const KEY_COLUMNS = {
  ...columns(text, 'day', 'key'),
  ...columns(nullable(text), 'left', 'right'),
  differences: number,
};

/**
 * Returns the first few keys that differ on the given days, and the number of all such keys. A key may occur twice on a
 * side, because no constraint forbids it. The row number distinguishes these rows; otherwise the second row would count
 * as the first.
 */
async function compareKeys(
  transaction: Transaction,
  { left, right, parameters, cutoff }: Comparison,
  days: readonly string[],
): Promise<RowOf<typeof KEY_COLUMNS>[]> {
  const side = (rows: ComparableRows) =>
    `(SELECT *, row_number() OVER (PARTITION BY day, key ORDER BY value) AS place FROM ${kept(rows, cutoff)} kept WHERE day IN (${days.map((day) => `'${day}'`).join(', ')}))`;
  const cut = (value: string) => `left(${value}, ${SAMPLE_CHARACTERS})`;
  return await transaction.unprepared(
    KEY_COLUMNS,
    `SELECT day, key, ${cut('l.value')} AS left, ${cut('r.value')} AS right, count(*) OVER () AS differences
     FROM ${side(left)} l FULL JOIN ${side(right)} r USING (day, key, place)
     WHERE l.value IS DISTINCT FROM r.value ORDER BY day, key LIMIT ${MAX_SAMPLES}`,
    [...parameters],
  );
}

const orNull = (day: string) => (day === '' ? null : day);
const total = (days: readonly RowOf<typeof DAY_COLUMNS>[], side: 'left_rows' | 'right_rows') =>
  days.reduce((sum, day) => sum + day[side], 0);

/**
 * Compares two sets of rows: first counts and ordered hashes for each day, then, on the days that differ, key by key.
 * The transaction must use one snapshot (REPEATABLE READ).
 */
export async function compareRows(transaction: Transaction, comparison: Comparison): Promise<ComparisonResult> {
  const days = await compareDays(transaction, comparison);
  const differing = days.filter((day) => !day.equal);
  const names = differing.map((day) => day.day);
  const keys = differing.length === 0 ? [] : await compareKeys(transaction, comparison, names);
  return {
    left_rows: total(days, 'left_rows'),
    right_rows: total(days, 'right_rows'),
    differences: keys[0]?.differences ?? 0,
    differing_day_count: differing.length,
    differing_days: differing
      .slice(0, MAX_DAYS)
      .map(({ day, left_rows, right_rows }) => ({ day: orNull(day), left_rows, right_rows })),
    samples: keys.map(({ day, key, left, right }) => ({ day: orNull(day), key, left, right })),
  };
}
