/** No other software uses these numbers for advisory locks in this database. */
const KEYS = {
  migration: 724_061_501,
  preparation: 724_061_502,
  request: 724_061_503,
  building: 724_061_504,
  move: 724_061_505,
} as const;

/**
 * Returns SQL that takes an advisory lock on the connection's schema until the transaction ends. Two schemas of one
 * database have different locks, because the second key is the schema's OID.
 */
export function lockSchema(lock: keyof typeof KEYS, mode: 'exclusive' | 'shared' = 'exclusive'): string {
  const take = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  return `SELECT ${take}(${KEYS[lock]}, current_schema()::text::regnamespace::oid::integer)`;
}
