import { Pool, type PoolClient, type PoolConfig } from 'pg';

const DEFAULT_WAIT_MILLISECONDS = 5_000;
/** The message with which node-postgres reports this timeout. */
const TIMEOUT = 'timeout exceeded when trying to connect';

/**
 * How long a caller waits for a connection of its own pool, before the limit closes a connection of another pool for it. A
 * new connection costs more than ten answers.
 */
const OWN_CONNECTION_WAIT_MILLISECONDS = 100;

interface Waiting {
  pool: LimitedPool;
  proceed: (error?: Error) => void;
  /** Whether the caller has waited long enough for its own pool. */
  isUrgent: boolean;
  /** Whether the caller waited when a connection of its pool was opened. It uses that connection before it is closed. */
  isIncluded: boolean;
  timers: NodeJS.Timeout[];
}

/**
 * Returns a function that returns the limit of a server. All pools of a process on that server share it, so a server
 * that hangs takes no connections from the others.
 */
export function limitPerServer(
  ...limit: ConstructorParameters<typeof ConnectionLimit>
): (url: string) => ConnectionLimit {
  const limits = new Map<string, ConnectionLimit>();
  return (url) => {
    const known = limits.get(url) ?? new ConnectionLimit(...limit);
    limits.set(url, known);
    return known;
  };
}

/** The maximum number of connections that several pools of a process have together. */
export class ConnectionLimit {
  readonly max: number;
  readonly #waitMilliseconds: number;
  readonly #pools: LimitedPool[] = [];
  #inUse = 0;
  readonly #waiting: Waiting[] = [];

  /** @param waitMilliseconds how long a caller waits for a connection that others use */
  constructor(max: number, waitMilliseconds = DEFAULT_WAIT_MILLISECONDS) {
    this.max = max;
    this.#waitMilliseconds = waitMilliseconds;
  }

  add(pool: LimitedPool): void {
    this.#pools.push(pool);
  }

  /** The number of callers that wait for a connection. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /**
   * Calls back when one more connection may be in use. If no connection is free, callers wait in the order of their
   * calls. For a short time, a caller whose pool has an idle connection may overtake callers that would need a new one.
   * A caller that waited when the connection was opened may always overtake them. Otherwise callers that take turns
   * would each open a connection.
   */
  take(pool: LimitedPool, proceed: (error?: Error) => void): void {
    if (this.#inUse < this.max && this.#isReady(pool)) {
      this.#start(pool, proceed);
      return;
    }
    const expire = () => {
      this.#remove(waiting);
      proceed(new Error(TIMEOUT));
    };
    const hurry = () => {
      waiting.isUrgent = true;
      this.#serve();
    };
    const timers = [setTimeout(expire, this.#waitMilliseconds), setTimeout(hurry, OWN_CONNECTION_WAIT_MILLISECONDS)];
    const waiting: Waiting = { pool, proceed, isUrgent: false, isIncluded: false, timers };
    this.#waiting.push(waiting);
  }

  give(): void {
    this.#inUse -= 1;
    this.#serve();
  }

  /** Closes an idle connection when the pools have reached the limit. Fewer connections are in use, so one is idle. */
  makeRoom(): void {
    if (this.#hasRoom) return;
    const idle = this.#pools.filter(({ spareCount }) => spareCount > 0);
    idle.sort((one, other) => one.usedAt - other.usedAt)[0]?.closeOne();
  }

  get #hasRoom(): boolean {
    return this.#pools.reduce((sum, { totalCount }) => sum + totalCount, 0) < this.max;
  }

  /**
   * Whether a pool has an idle connection, may open another one, or has no connection for which its caller could wait.
   */
  #isReady(pool: LimitedPool): boolean {
    return pool.spareCount > 0 || pool.totalCount === 0 || this.#hasRoom;
  }

  #serve(): void {
    while (this.#inUse < this.max) {
      const next =
        this.#waiting.find(({ isIncluded, pool }) => isIncluded && pool.spareCount > 0) ??
        this.#waiting.find(({ isUrgent, pool }) => isUrgent || this.#isReady(pool));
      if (next === undefined) return;
      this.#remove(next);
      this.#start(next.pool, next.proceed);
    }
  }

  #start(pool: LimitedPool, proceed: () => void): void {
    this.#inUse += 1;
    if (pool.spareCount <= 0) {
      for (const waiting of this.#waiting) if (waiting.pool === pool) waiting.isIncluded = true;
    }
    proceed();
  }

  #remove(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    for (const timer of waiting.timers) clearTimeout(timer);
  }
}

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: (release?: boolean) => void) => void;

/** A pool that shares a limit with others. A connection stays in its pool until it is closed. */
export class LimitedPool extends Pool {
  readonly #limit: ConnectionLimit;
  /** The connections that count as in use. */
  readonly #counted = new WeakSet<PoolClient>();
  /** When a caller last got a connection, in milliseconds since the process started. */
  usedAt = 0;

  constructor(limit: ConnectionLimit, config: PoolConfig) {
    super(config);
    this.#limit = limit;
    limit.add(this);
    this.on('release', (_error, client) => {
      // The pool emits the event before the connection is idle. Without the delay, no other pool could close it.
      if (this.#counted.delete(client)) queueMicrotask(() => limit.give());
    });
  }

  /** The limit that this pool shares with others. */
  get limit(): ConnectionLimit {
    return this.#limit;
  }

  /** The number of idle connections that are not promised to a caller. */
  get spareCount(): number {
    return this.idleCount - this.waitingCount;
  }

  /** Closes an idle connection. */
  closeOne(): void {
    super.connect((_error, client) => client?.release(true));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client))),
      );
    }
    this.#limit.take(this, (expired) => {
      if (expired) {
        callback(expired, undefined, () => {});
        return;
      }
      this.usedAt = performance.now();
      if (this.spareCount <= 0) this.#limit.makeRoom();
      super.connect((error, client, done) => {
        if (client === undefined) this.#limit.give();
        else this.#counted.add(client);
        callback(error, client, done);
      });
    });
    return undefined;
  }
}

/** The connections of several pools. */
interface ConnectionUsage {
  used: number;
  idle: number;
  /** The callers that wait for a connection. */
  waiting: number;
  maximum: number;
}

/** Returns how several pools together use their connections. A limit that they share counts once. */
export function connectionUsage(pools: Iterable<Pool>): ConnectionUsage {
  const usage: ConnectionUsage = { used: 0, idle: 0, waiting: 0, maximum: 0 };
  const limits = new Set<ConnectionLimit>();
  for (const pool of pools) {
    usage.used += pool.totalCount - pool.idleCount;
    usage.idle += pool.idleCount;
    usage.waiting += pool.waitingCount;
    if (pool instanceof LimitedPool) limits.add(pool.limit);
    else usage.maximum += pool.options.max;
  }
  for (const { waitingCount, max } of limits) {
    usage.waiting += waitingCount;
    usage.maximum += max;
  }
  return usage;
}
