import { types } from 'pg';

const BIGINT = 20;
const NUMERIC = 1700;
const DATE = 1082;

/**
 * How columns become JavaScript values. Positions, offsets and epoch milliseconds stay below 2^53; numerics are decimal
 * texts of doubles (or their sums), so the nearest double is the number that went in; dates stay `YYYY-MM-DD`, because
 * a `Date` would drag the local time zone in.
 */
export const columnTypes = {
  getTypeParser(id: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (format !== 'binary') {
      if (id === BIGINT || id === NUMERIC) return Number;
      if (id === DATE) return String;
    }
    return types.getTypeParser(id, format === 'binary' ? 'binary' : 'text');
  },
};
