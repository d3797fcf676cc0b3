import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { type ConnectionLimit, LimitedPool } from './connection-limit.ts';
import type { MovingHost } from './hosts.ts';
import type { Part } from './parts.ts';
import type { Role } from './roles.ts';
import { sessionOptions } from './session.ts';
import { columnTypes } from './statement.ts';

interface PoolOptions {
  /** The part that every connection works on. The user in its URL must be a member of `role`. */
  part: Part;
  /**
   * The role that every connection acts as. Without a role, connections act as the user in the URL: only migrations
   * need that.
   */
  role?: Role;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  connections: number;
  /** The limit that this pool shares with others. */
  limit?: ConnectionLimit;
  /**
   * Connections that are opened immediately and kept open while idle, so that requests work while the server accepts no
   * new connection.
   */
  keptConnections?: number;
  /** A statement that takes longer is cancelled. 0: no limit. */
  statementTimeoutMilliseconds: number;
  /**
   * The additional time that a caller waits for a statement, because a hanging server cancels nothing. After this time,
   * the connection is closed.
   */
  silenceMilliseconds?: number;
  /** How long an idle connection stays open. */
  idleMilliseconds?: number;
  /** How long a caller waits for a connection. */
  acquireTimeoutMilliseconds?: number;
}

const optionsOf = new WeakMap<Pool, PoolOptions>();

const DEFAULT_IDLE_MILLISECONDS = 30_000;
const DEFAULT_SILENCE_MILLISECONDS = 5_000;

/**
 * PostgreSQL ends an open transaction of a stuck process after this idle time, because its locks block all other
 * sessions.
 */
const IDLE_IN_TRANSACTION_MILLISECONDS = 60_000;

/** Opens a bounded pool of connections, all of which work on one part and act as one role. */
export function createPool(options: PoolOptions): Pool {
  const { part, role, statementTimeoutMilliseconds } = options;
  const settings = {
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MILLISECONDS),
    statement_timeout: String(statementTimeoutMilliseconds),
    timezone: 'UTC',
  };
  const config: PoolConfig = {
    ...sessionOptions(part.url, { schema: part.schema, role, settings }, part.host),
    application_name: options.applicationName,
    max: options.connections,
    min: options.keptConnections ?? 0,
    connectionTimeoutMillis: options.acquireTimeoutMilliseconds ?? 5_000,
    idleTimeoutMillis: options.idleMilliseconds ?? DEFAULT_IDLE_MILLISECONDS,
    ...(statementTimeoutMilliseconds > 0
      ? {
          query_timeout: statementTimeoutMilliseconds + (options.silenceMilliseconds ?? DEFAULT_SILENCE_MILLISECONDS),
        }
      : {}),
    keepAlive: true,
    types: columnTypes,
  };
  const pool = options.limit ? new LimitedPool(options.limit, config) : new Pool(config);
  ignoreConnectionErrors(pool);
  optionsOf.set(pool, options);
  if (part.host) followHost(pool, part.host);
  // If a connection cannot be opened now, the pool tries again when a statement needs one. If that fails too, the
  // statement fails.
  for (let kept = 0; kept < (options.keptConnections ?? 0); kept += 1) pool.connect().then(release, () => {});
  return pool;
}

/** Returns the options with which `createPool` has opened a pool. */
export function poolOptions(pool: Pool): PoolOptions | undefined {
  return optionsOf.get(pool);
}

/** A statement on the former server fails, or is slow. This limits the time for which that happens. */
const LOOK_MILLISECONDS = 1_000;

/** Closes the connections of a pool to a server when another server has taken its place. */
function followHost(pool: Pool, host: MovingHost): void {
  const open = new Set<PoolClient>();
  const isFormer = (client: PoolClient) =>
    !host.isCurrent({ host: String(Reflect.get(client, 'host')), port: Number(Reflect.get(client, 'port')) });
  const look = async () => {
    await host.look();
    if (pool.ending || ![...open].some(isFormer)) return;
    // Idle connections are released, which closes them. Those in use are closed when their callers release them.
    for (let idle = pool.idleCount; idle > 0; idle -= 1) pool.connect().then(release, () => {});
  };
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  pool.on('release', (error, client) => {
    if (isFormer(client)) client.end();
    // The error may come from a server that is no longer the current host.
    if (error) look();
  });
  const timer = setInterval(() => (pool.ending ? clearInterval(timer) : look()), LOOK_MILLISECONDS);
  timer.unref();
}

function release(client: PoolClient): void {
  client.release();
}

/** Adds listeners for errors of connections: without them, a connection that the server closes ends the process. */
export function ignoreConnectionErrors(pool: Pool): void {
  // The pool replaces an idle connection when one is next needed.
  pool.on('error', () => {});
  // The running statement of a connection in use rejects, and its caller handles the error.
  pool.on('connect', (client) => client.on('error', () => {}));
}
