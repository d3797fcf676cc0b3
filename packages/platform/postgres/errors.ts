/** The SQLSTATEs that Milepost handles, by their condition names in PostgreSQL. */
export const SQLSTATES = {
  duplicate_object: '42710',
  idle_in_transaction_session_timeout: '25P03',
  insufficient_privilege: '42501',
  invalid_schema_name: '3F000',
  lock_not_available: '55P03',
  /** This includes a statement that exceeds its timeout. */
  query_canceled: '57014',
  read_only_sql_transaction: '25006',
  undefined_table: '42P01',
  unique_violation: '23505',
};

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** SQLSTATE classes of transient errors: connection, rollback, resources, operator intervention, system. */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '57', '58']);
/** A standby's transactions are read-only until its promotion. */
const TRANSIENT_STATES = new Set([
  SQLSTATES.lock_not_available,
  SQLSTATES.idle_in_transaction_session_timeout,
  SQLSTATES.read_only_sql_transaction,
]);

/** Whether the server did not respond to a statement in time and therefore might not respond to the next one either. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Messages of node-postgres errors that have no code and mean that a connection was lost or could not be opened. */
const CONNECTION_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|query read timeout|connection is not queryable|not queryable|Connection ended/i;

/** Returns the SQLSTATE of a PostgreSQL error; null for any other value. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}

/**
 * Whether a retry may succeed without any other change, because the database is unavailable, a lock timed out, there
 * was a deadlock or the disk is full. Never throws, regardless of the value.
 */
export function isTransientError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransientError);
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code)) return true;
  const state = sqlState(error);
  if (state !== null) return TRANSIENT_CLASSES.has(state.slice(0, 2)) || TRANSIENT_STATES.has(state);
  return CONNECTION_MESSAGES.test(error.message);
}
