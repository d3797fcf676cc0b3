import type { ComparisonResult, Generation } from '@milepost/projections/engine';

/** Two generations of one projection at the same checkpoint. */
export interface Pair {
  live: Generation;
  replayed: Generation;
}

const comparedOf = ({ generation, version }: Generation, rows: number) => ({ generation, version, rows });

/**
 * Returns the report on one read table.
 *
 * @param changes the report of the projection's `describeChanges`
 */
export function tableReport({ live, replayed }: Pair, result: ComparisonResult, changes: object | null) {
  const equal = result.differing_day_count === 0;
  return {
    projection: live.projection,
    live: comparedOf(live, result.left_rows),
    replayed: comparedOf(replayed, result.right_rows),
    equal,
    /** Whether the tables are equal, or may differ because their versions are different. */
    expected: equal || live.version !== replayed.version,
    /** The number of keys whose rows differ. */
    differences: result.differences,
    differing_day_count: result.differing_day_count,
    /** The first days on which rows differ. `day` is null for rows without a day. */
    differing_days: result.differing_days.map(({ day, left_rows, right_rows }) => ({
      day,
      live_rows: left_rows,
      replayed_rows: right_rows,
    })),
    /**
     * Some of the rows that differ, with long values truncated. `live` or `replayed` is null if that side lacks the
     * row.
     */
    samples: result.samples.map(({ day, key, left, right }) => ({ day, key, live: left, replayed: right })),
    changes,
  };
}

export type TableVerification = ReturnType<typeof tableReport>;

/** Returns the report on the comparison of the new generations with the live ones at the same position. */
export function verificationOf(position: number, cutoff: string | null, tables: readonly TableVerification[]) {
  return {
    position,
    /** RFC 3339. */
    compared_at: new Date().toISOString(),
    /** Rows for earlier days are not compared, because one side does not keep them. */
    cutoff,
    equal: tables.every((table) => table.equal),
    /** Whether there are no differences, or only differences explained by a version change. */
    expected: tables.every((table) => table.expected),
    differences: tables.reduce((sum, table) => sum + table.differences, 0),
    tables: tables.toSorted((left, right) => (left.projection < right.projection ? -1 : 1)),
  };
}

export type Verification = ReturnType<typeof verificationOf>;
