import { columns, type RowOf, type Transaction } from '@milepost/postgres';

/**
 * SQL that lists rows to compare. The columns are `day` (a date, or null if the row has none), and `key` and `value` as
 * text.
 */
export type ComparableRows = string;

/** Longer values are truncated in samples. */
const SAMPLE_CHARACTERS = 2_000;
const MAX_SAMPLES = 20;
const MAX_DAYS = 400;

/** Two sides whose rows should be equal. The SQL of both sides may use `parameters` as `$1` and `$2`. */
export interface Comparison {
  left: ComparableRows;
  right: ComparableRows;
  parameters: readonly unknown[];
  /**
   * Rows for days before this day (`YYYY-MM-DD`) are not compared. If null, all rows are compared. Rows without a day
   * are always compared.
   */
  cutoff: string | null;
}

/** A day as text, or `''` if there is no day, because a full join does not match nulls. */
const DAY = `coalesce(to_char(day, 'YYYY-MM-DD'), '')`;

function atCutoff(cutoff: string | null): string {
  return cutoff === null ? 'true' : `day IS NULL OR day >= date '${cutoff}'`;
}

function kept(rows: ComparableRows, cutoff: string | null): string {
  return `(SELECT ${DAY} AS day, key COLLATE "C" AS key, value COLLATE "C" AS value FROM (${rows}) row WHERE ${atCutoff(cutoff)})`;
}

/**
 * Returns SQL that selects, for each day, the number of rows and a hash that depends on their order. Each row has a
 * 64-bit hash, and a day's hashes are chained in the order of the keys. OFFSET 0 keeps the planner from sorting whole
 * values before hashing, which would take twice as long and not run in parallel.
 */
function digests(rows: ComparableRows, cutoff: string | null): string {
  return `SELECT ${DAY} AS day, count(*) AS rows, md5(string_agg(hash::text, ',' ORDER BY key, hash)) AS hash FROM (
      SELECT day, key COLLATE "C" AS key, hashtextextended(concat(key, '=', value), 0) AS hash
      FROM (${rows}) row WHERE ${atCutoff(cutoff)} OFFSET 0) hashed GROUP BY hashed.day`;
}

const DAY_COLUMNS = { day: 'text', left_rows: 'number', right_rows: 'number', equal: 'boolean' } as const;

async function compareDays(transaction: Transaction, { left, right, parameters, cutoff }: Comparison) {
  return await transaction.unprepared(
    DAY_COLUMNS,
    `SELECT day, coalesce(l.rows, 0) AS left_rows, coalesce(r.rows, 0) AS right_rows, coalesce(l.hash = r.hash, false) AS equal
     FROM (${digests(left, cutoff)}) l FULL JOIN (${digests(right, cutoff)}) r USING (day) ORDER BY day`,
    [...parameters],
  );
}

const KEY_COLUMNS = {
  ...columns('text', 'day', 'key'),
  ...columns('text?', 'left', 'right'),
  differences: 'number',
} as const;

/**
 * Returns the number of keys that differ on the given days, and the first few such keys. No constraint prevents a key
 * from occurring twice on one side. A row number tells such rows apart, because otherwise both would be compared with
 * the same row on the other side.
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
 * Compares two sets of rows, first by a count and an ordered hash for each day, and then key by key on the days that
 * differ. The transaction must use one snapshot (REPEATABLE READ).
 */
export async function compareRows(transaction: Transaction, comparison: Comparison) {
  const days = await compareDays(transaction, comparison);
  const differing = days.filter((day) => !day.equal);
  const names = differing.map((day) => day.day);
  const keys = differing.length === 0 ? [] : await compareKeys(transaction, comparison, names);
  return {
    left_rows: total(days, 'left_rows'),
    right_rows: total(days, 'right_rows'),
    /** How many keys have different values or exist on only one side. */
    differences: keys[0]?.differences ?? 0,
    differing_day_count: differing.length,
    differing_days: differing
      .slice(0, MAX_DAYS)
      .map(({ day, left_rows, right_rows }) => ({ day: orNull(day), left_rows, right_rows })),
    samples: keys.map(({ day, key, left, right }) => ({ day: orNull(day), key, left, right })),
  };
}

export type ComparisonResult = Awaited<ReturnType<typeof compareRows>>;
