export type { Pool } from 'pg';
export { isTransientError, SQLSTATES, sqlState } from './errors.ts';
export { inTime } from './in-time.ts';
export { type Login, loginUrl } from './logins.ts';
export { directoryAt, laneAt, type Part } from './parts.ts';
export { connectionUsage, createPool, ServerPools } from './pool.ts';
export { backoffMilliseconds, type RetryOptions, retryTransientErrors } from './retry.ts';
export { ROLES, type Role } from './roles.ts';
export {
  assertUsable,
  checkAtStart,
  checkPoolMode,
  checkServer,
  checkSession,
  DatabaseUnusableError,
  type ServerCheck,
} from './server-check.ts';
export {
  type Column,
  type Connections,
  column,
  columnFaults,
  columns,
  declaredStatements,
  execute,
  query,
  queryRow,
  type RowOf,
  statement,
  typesOf,
  unprepared,
} from './statement.ts';
export { inSnapshot, inTransaction, StatementSkippedError, Transaction } from './transaction.ts';
