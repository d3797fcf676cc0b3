export type { Pool } from 'pg';
export { type CopyValue, copyBinary, copyText } from './copy-rows.ts';
export { isTransientError, sqlState } from './errors.ts';
export { derivedPasswords, type Login, type LoginPasswords, loginUrl } from './logins.ts';
export { packBytes } from './packed-bytes.ts';
export { createPool, outliveConnections, ROLES, type Role } from './pool.ts';
export { backoffMilliseconds, type RetryOptions, retryTransientErrors } from './retry.ts';
export {
  boolean,
  bytes,
  type Column,
  type Columns,
  columnFaults,
  columns,
  date,
  declaredStatements,
  execute,
  json,
  nullable,
  number,
  present,
  query,
  type RowOf,
  type Statement,
  statement,
  table,
  tableStatement,
  text,
  textArray,
  textOf,
  timestamp,
  unprepared,
} from './statement.ts';
export { inTransaction, StatementSkippedError, Transaction } from './transaction.ts';
