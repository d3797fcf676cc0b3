import { Client, type ClientConfig, escapeIdentifier, Pool, type PoolClient } from 'pg';
import { isTransientError } from './errors.ts';
import type { Part } from './parts.ts';
import type { Role } from './roles.ts';
import { type Access, accessTo, COMMON_SETTINGS } from './session.ts';
import { columnTypes, prefixNames } from './statement.ts';

interface PoolOptions {
  /**
   * The role that every connection acts as. The user in the URL must be a member of this role. Without a role,
   * connections act as the user in the URL, which only migrations need.
   */
  role?: Role;
  /** The name in `pg_stat_activity`. */
  applicationName: string;
  /** The maximum number of connections to each server. */
  connections: number;
  /**
   * How many connections are opened immediately and kept open while idle. With them, requests still work while the
   * server is not accepting new connections.
   */
  keptConnections?: number;
  /** A statement that takes longer than this time is cancelled. 0 means no limit. */
  statementTimeoutMilliseconds: number;
  /**
   * How much longer than the statement timeout a caller waits. A hung server does not cancel the statement, so the
   * connection is closed after this time.
   */
  silenceMilliseconds?: number;
  /** How long an idle connection stays open. */
  idleMilliseconds?: number;
  /** How long a caller waits for a connection. */
  acquireTimeoutMilliseconds?: number;
}

const DEFAULT_IDLE_MILLISECONDS = 30_000;
const DEFAULT_SILENCE_MILLISECONDS = 5_000;
const DEFAULT_ACQUIRE_MILLISECONDS = 5_000;
/** A server must accept a connection within this time, even if a caller may wait longer for a busy connection. */
const MAX_OPEN_MILLISECONDS = 15_000;

/**
 * A connection is replaced after it has been used with this many schemas. On the server, a projector's prepared
 * statements take 2 MB for each schema.
 */
const MAX_SCHEMAS = 64;

class TimedClient extends Client {
  constructor(config: ClientConfig = {}) {
    const { connectionTimeoutMillis = MAX_OPEN_MILLISECONDS } = config;
    super({ ...config, connectionTimeoutMillis: Math.min(connectionTimeoutMillis, MAX_OPEN_MILLISECONDS) });
  }
}

/**
 * The connections of a process as one role, with a pool for each server. The parts on a server share its pool, and a
 * hung server does not use up the other servers' connections.
 */
export class ServerPools {
  readonly options: PoolOptions;
  readonly #accesses = new Map<string, Access>();
  readonly #servers = new Map<string, Pool>();
  readonly #parts = new Set<PartPool>();
  /** The schemas that each connection has been used for, ending with the current one. */
  readonly #schemas = new WeakMap<PoolClient, string[]>();
  /** Prefixes for the names of prepared statements, by schema, because a plan belongs to one schema's tables. */
  readonly #prefixes = new Map<string, string>();

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** The maximum number of connections, across all servers in use. */
  get maximum(): number {
    const used = this.#servers.values().filter(({ totalCount }) => totalCount > 0);
    return Math.max(1, [...used].length) * this.options.connections;
  }

  /** The number of connections to all servers. */
  count(which: 'totalCount' | 'idleCount'): number {
    return this.#servers.values().reduce((sum, pool) => sum + pool[which], 0);
  }

  /** Opens a pool on a part. */
  open(part: Part): Pool {
    const pool = new PartPool(part, this);
    this.#parts.add(pool);
    prefixNames(pool, this.#prefixOf(part.schema));
    // If a connection cannot be opened now, the pool tries again when a statement needs one. If that also fails, the
    // statement fails.
    const kept = this.#parts.size === 1 ? (this.options.keptConnections ?? 0) : 0;
    for (let each = 0; each < kept; each += 1)
      pool.connect().then(
        (client) => client.release(),
        () => {},
      );
    return pool;
  }

  /** Removes a part's pool. Closes all connections if no other pool is open. */
  async close(pool: PartPool): Promise<void> {
    this.#parts.delete(pool);
    if (this.#parts.size > 0) return;
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map((server) => server.end()));
  }

  /** Returns a connection that uses the part's schema on the server that currently has the part. */
  async take(pool: PartPool): Promise<PoolClient> {
    const { url, schema, host: node } = pool.part;
    const access = this.#accesses.get(url) ?? accessTo(url, this.#sessionIn(schema));
    this.#accesses.set(url, access);
    const finder = node ?? access.finder;
    const host = finder ? await finder.usable() : null;
    if (pool.ending) throw new Error('Cannot use a pool after calling end on the pool');
    const client = await this.#poolAt(pool.part, access, host)
      .connect()
      .catch((error: unknown) => {
        finder?.forget();
        throw error;
      });
    const known = this.#schemas.get(client) ?? [];
    const others = known.filter((each) => each !== schema);
    if (others.length >= MAX_SCHEMAS) {
      client.release(true);
      return await this.take(pool);
    }
    // Each caller sets the schema that it needs, so no caller depends on the caller before it.
    if ((known.at(-1) ?? access.schema) !== schema) {
      try {
        await client.query(`SET search_path = ${escapeIdentifier(schema)}`);
      } catch (error) {
        client.release(true);
        throw error;
      }
    }
    this.#schemas.set(client, [...others, schema]);
    prefixNames(client, this.#prefixOf(schema));
    pool.emit('acquire', client);
    return client;
  }

  #prefixOf(schema: string): string {
    const known = this.#prefixes.get(schema) ?? (this.#prefixes.size === 0 ? '' : `${this.#prefixes.size}:`);
    this.#prefixes.set(schema, known);
    return known;
  }

  #sessionIn(schema: string) {
    const settings = {
      ...COMMON_SETTINGS,
      statement_timeout: String(this.options.statementTimeoutMilliseconds),
      timezone: 'UTC',
    };
    return { schema, role: this.options.role, settings };
  }

  #poolAt({ url, host: node }: Part, access: Access, host: string | null): Pool {
    const key = `${host} ${url}`;
    const known = this.#servers.get(key);
    if (known) return known;
    const { statementTimeoutMilliseconds: statement, silenceMilliseconds = DEFAULT_SILENCE_MILLISECONDS } =
      this.options;
    const pool = new Pool({
      ...access.configAt(host),
      Client: TimedClient,
      application_name: this.options.applicationName,
      max: this.options.connections,
      min: this.options.keptConnections ?? 0,
      connectionTimeoutMillis: this.options.acquireTimeoutMilliseconds ?? DEFAULT_ACQUIRE_MILLISECONDS,
      idleTimeoutMillis: this.options.idleMilliseconds ?? DEFAULT_IDLE_MILLISECONDS,
      ...(statement > 0 ? { query_timeout: statement + silenceMilliseconds } : {}),
      keepAlive: true,
      types: columnTypes,
    });
    // Without error listeners, a connection closed by the server would end the process. With them, the pool replaces an
    // idle connection when it next needs one, and a running statement rejects.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      for (const part of this.#parts) part.emit('connect', client);
    });
    // The error may come from a node that no longer owns the lane.
    if (node) pool.on('release', (error) => void (isTransientError(error) && node.forget()));
    this.#servers.set(key, pool);
    return pool;
  }
}

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: (release?: boolean) => void) => void;

/** A pool on one part, whose connections belong to the servers' pools. */
export class PartPool extends Pool {
  readonly part: Part;
  readonly servers: ServerPools;
  #waiting = 0;

  constructor(part: Part, servers: ServerPools) {
    super({ max: servers.options.connections });
    this.part = part;
    this.servers = servers;
    // The base class declares these as properties, which accessors cannot override.
    Object.defineProperties(this, {
      totalCount: { get: () => servers.count('totalCount') },
      idleCount: { get: () => servers.count('idleCount') },
      waitingCount: { get: () => this.#waiting },
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    this.#waiting += 1;
    const taking = this.servers.take(this).finally(() => {
      this.#waiting -= 1;
    });
    if (callback === undefined) return taking;
    taking.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  override async end(): Promise<void> {
    await super.end();
    await this.servers.close(this);
  }
}

/** Returns a pool as one that was opened on a part. Throws a TypeError for any other pool. */
export function partPool(pool: Pool): PartPool {
  if (pool instanceof PartPool) return pool;
  throw new TypeError('The pool was not opened on a part of the database.');
}

/** Opens a pool with its own connections, which all use the same part and act as the same role. */
export function createPool({ part, ...options }: PoolOptions & { part: Part }): Pool {
  return new ServerPools(options).open(part);
}

/**
 * Returns how several pools together use their connections, counting shared connections once, and how many callers are
 * waiting for a connection.
 */
export function connectionUsage(pools: Iterable<Pool>) {
  const usage = { used: 0, idle: 0, waiting: 0, maximum: 0 };
  const counted = new Set<ServerPools>();
  for (const pool of pools) {
    usage.waiting += pool.waitingCount;
    if (!(pool instanceof PartPool) || counted.has(pool.servers)) continue;
    counted.add(pool.servers);
    usage.used += pool.totalCount - pool.idleCount;
    usage.idle += pool.idleCount;
    usage.maximum += pool.servers.maximum;
  }
  return usage;
}
