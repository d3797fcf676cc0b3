export type { Pool, PoolClient } from 'pg';
export { type CopiedRows, type CopyValue, copyBinary, copyText } from './copy-rows.ts';
export { isPassingFault, sqlState } from './errors.ts';
export { derivedPasswords, type Login, type LoginPasswords, loginUrl } from './logins.ts';
export { type PackedBytes, packBytes } from './packed-bytes.ts';
export { createPool, outliveConnections, type PoolOptions, ROLES, type Role } from './pool.ts';
export { backoffMilliseconds, type RetryOptions, retryPassingFaults } from './retry.ts';
export { inTransaction, type Statement, StatementSkippedError, Transaction } from './transaction.ts';
