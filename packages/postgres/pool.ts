import { Pool, type PoolClient } from 'pg';
import { columnTypes } from './statement.ts';

/**
 * The database roles, each with the grants of one process and nothing more (see migrations/0002_roles.sql); the eraser's
 * are for the erasure of drivers alone (0006_erasure.breaking.sql).
 */
export const ROLES = {
  api: 'milepost_api',
  ingest: 'milepost_ingest',
  projector: 'milepost_projector',
  operator: 'milepost_operator',
  eraser: 'milepost_eraser',
} as const;

export type Role = (typeof ROLES)[keyof typeof ROLES];

interface PoolOptions {
  /** `postgres://user:password@host:port/database`; the user must be a member of `role`. */
  url: string;
  /** The role every connection acts in; without it the login's own, which only migrations need. */
  role?: Role;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  connections: number;
  /** Opened at once and kept open while idle, so that requests need no new one while the server accepts none. */
  keptConnections?: number;
  /** A statement that runs longer is cancelled. 0: no limit. */
  statementTimeoutMilliseconds: number;
  /**
   * How much longer a caller waits for a statement: a server that hangs cancels nothing. The connection is then given up.
   */
  silenceMilliseconds?: number;
  /** How long a caller waits for a connection before it gets an error. */
  acquireTimeoutMilliseconds?: number;
}

const SILENCE_MILLISECONDS = 5_000;

/**
 * Opens a bounded pool of connections. The role is set as a start-up option, so no statement ever runs with more rights.
 * A transaction left open by a stuck process ends after a minute: its locks would stop everybody else.
 */
export function createPool(options: PoolOptions): Pool {
  const settings = [
    ...(options.role ? [`-c role=${options.role}`] : []),
    '-c idle_in_transaction_session_timeout=60000',
    '-c timezone=UTC',
  ];
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.connections,
    min: options.keptConnections ?? 0,
    connectionTimeoutMillis: options.acquireTimeoutMilliseconds ?? 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMilliseconds,
    ...(options.statementTimeoutMilliseconds > 0
      ? { query_timeout: options.statementTimeoutMilliseconds + (options.silenceMilliseconds ?? SILENCE_MILLISECONDS) }
      : {}),
    keepAlive: true,
    options: settings.join(' '),
    types: columnTypes,
  });
  outliveConnections(pool);
  // What cannot be opened now is opened, or fails, with the statement that needs it.
  for (let kept = 0; kept < (options.keptConnections ?? 0); kept += 1) pool.connect().then(leave, () => {});
  return pool;
}

function leave(client: PoolClient): void {
  client.release();
}

/** Sees to it that a connection that the server closes does not end the process. */
export function outliveConnections(pool: Pool): void {
  // An idle connection is replaced at the next use; without a listener its error would be nobody's.
  pool.on('error', () => {});
  // The same while somebody holds it: the statement under way rejects, which is where the fault is dealt with.
  pool.on('connect', (client) => client.on('error', () => {}));
}
