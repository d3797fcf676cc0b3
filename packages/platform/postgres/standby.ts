import type { Pool, PoolClient } from 'pg';
import { inTime } from './in-time.ts';
import { laneAt } from './parts.ts';
import { PartPool, type ServerPools } from './pool.ts';
import { PrimaryPositions } from './primary-positions.ts';
import { queryRow, statement } from './statement.ts';

/** How often both servers are checked, and how long the last check of a connection remains valid. */
const CHECK_MILLISECONDS = 250;
/** A standby is not used unless it passes its check within this time. */
const MAX_CHECK_MILLISECONDS = 500;
/** A standby whose delay exceeds this maximum is not used. */
const MAX_DELAY_MILLISECONDS = 5_000;

const READ_PRIMARY = statement('read-primary', { system: 'text', written: 'number' })`
  SELECT system_identifier::text AS system, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS written
  FROM pg_control_system()`;

const READ_STANDBY = statement('read-standby', { system: 'text', is_standby: 'boolean', replayed: 'number?' })`
  SELECT system_identifier::text AS system, pg_is_in_recovery() AS is_standby,
    pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS replayed
  FROM pg_control_system()`;

/** The last check of a connection to the standby. Times are in milliseconds since this process started. */
interface Checked {
  at: number;
  /** The standby has everything that the primary had committed by this time. */
  freshAt: number;
}

interface StandbyOptions {
  /** A pool on the primary. The standby has the lanes of the primary's database. */
  primary: Pool;
  /** The URL of this database on the standby. */
  url: string;
  /** The connections to the standby. */
  pools: ServerPools;
  /** Runs the same queries as requests do. If they fail on a standby or wait for a lock, the standby is not used. */
  probe: (connection: PoolClient) => Promise<void>;
  /** Called with the reason when the standby is no longer used, and with null when it is used again. */
  onChange: (reason: unknown) => void;
  maxDelayMilliseconds?: number;
}

/** The standby works, but is too far behind. */
class StandbyBehindError extends Error {
  override name = 'StandbyBehindError';
}

/** The result of a query on a standby. */
interface StandbyResult<Result> {
  result: Result;
  /** The maximum age of the result. The result reflects all commits on the primary that are older than this. */
  delaySeconds: number;
}

/**
 * Runs queries on a streaming standby while it is close to its primary. A standby does not know of changes that it has
 * not received, so its delay is measured against positions in the primary's write-ahead log. Each connection is checked
 * separately, because an address may lead to several standbys.
 */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #maxDelayMilliseconds: number;
  /** The pools on the standby, by schema. */
  readonly #pools = new Map<string, Pool>();
  readonly #checked = new WeakMap<PoolClient, Checked>();
  readonly #timer: NodeJS.Timeout;
  /** The identifier that the primary shares with its standbys. */
  #system: string | null = null;
  readonly #positions: PrimaryPositions;
  #isReadingPrimary = false;
  #isProbing = false;
  /** The standby has everything that the primary had committed by this time; null until a check succeeds. */
  #lastFreshAt: number | null = null;
  /** Why the standby is not in use; null while it is in use, undefined before the first check. */
  #fault: unknown;
  /** Called when the standby is no longer used, so that requests do not wait until a hung query times out. */
  readonly #stopReading = new Set<(reason: unknown) => void>();

  constructor(options: StandbyOptions) {
    this.#options = options;
    this.#maxDelayMilliseconds = options.maxDelayMilliseconds ?? MAX_DELAY_MILLISECONDS;
    this.#positions = new PrimaryPositions(this.#maxDelayMilliseconds);
    this.#timer = setInterval(() => {
      this.#readPrimary();
      this.#check();
    }, CHECK_MILLISECONDS);
  }

  /** The pools on the standby. */
  get pools(): Iterable<Pool> {
    return this.#pools.values();
  }

  /** The standby's maximum delay. It grows while the standby fails its checks, and is null before the first use. */
  get delaySeconds(): number | null {
    return this.#lastFreshAt === null ? null : (performance.now() - this.#lastFreshAt) / 1_000;
  }

  /**
   * Whether the standby has a lane.
   *
   * @param primary the lane's pool on its primary
   */
  has(primary: Pool): boolean {
    return this.#schemaOf(primary) !== null;
  }

  /**
   * Runs a query on the standby. Returns null when the query must run on the primary instead. This is the case if the
   * standby is not used, if it lacks the lane, or if the query fails there.
   *
   * @param primary the lane's pool on its primary
   */
  async read<Result>(
    primary: Pool,
    select: (connection: PoolClient) => Promise<Result>,
  ): Promise<StandbyResult<Result> | null> {
    const schema = this.#schemaOf(primary);
    if (this.#fault !== null || schema === null) return null;
    const stopped = Promise.withResolvers<never>();
    this.#stopReading.add(stopped.reject);
    try {
      return await Promise.race([this.#onConnection(schema, select), stopped.promise]);
    } catch {
      return null;
    } finally {
      this.#stopReading.delete(stopped.reject);
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#pools.values().map((pool) => pool.end()));
  }

  /** Returns a lane's schema; null if the standby lacks the lane. */
  #schemaOf(primary: Pool): string | null {
    const part = primary instanceof PartPool ? primary.part : undefined;
    return part && !part.host ? part.schema : null;
  }

  #poolOf(schema: string): Pool {
    const pool = this.#pools.get(schema) ?? this.#options.pools.open(laneAt(this.#options.url, schema));
    this.#pools.set(schema, pool);
    return pool;
  }

  async #onConnection<Result>(
    schema: string,
    work: (connection: PoolClient) => Promise<Result>,
  ): Promise<StandbyResult<Result>> {
    const connection = await this.#poolOf(schema).connect();
    try {
      // The check must precede the query's snapshot, because otherwise the query could miss data that the check saw.
      const freshAt = await this.#freshAt(connection);
      const result = await work(connection);
      connection.release();
      return { result, delaySeconds: (performance.now() - freshAt) / 1_000 };
    } catch (error) {
      // After a promotion, the next connection finds another standby.
      connection.release(!(error instanceof StandbyBehindError));
      throw error;
    }
  }

  /**
   * Returns a time up to which the standby has everything that the primary has committed.
   *
   * @throws StandbyBehindError
   * @throws Error when the server is not a standby of the primary
   */
  async #freshAt(connection: PoolClient): Promise<number> {
    const at = performance.now();
    const known = this.#checked.get(connection);
    const isRecent = known !== undefined && at - known.at < CHECK_MILLISECONDS;
    const freshAt = isRecent ? known.freshAt : await this.#readFreshAt(connection);
    if (at - freshAt > this.#maxDelayMilliseconds) {
      throw new StandbyBehindError(`The standby is more than ${this.#maxDelayMilliseconds / 1_000} s behind.`);
    }
    if (!isRecent) this.#checked.set(connection, { at, freshAt });
    return freshAt;
  }

  async #readFreshAt(connection: PoolClient): Promise<number> {
    const standby = await queryRow(connection, READ_STANDBY);
    if (!standby.is_standby) throw new Error('The server is not a standby.');
    if (standby.system !== this.#system) throw new Error('The server is a standby of another primary.');
    return this.#positions.timeOf(standby.replayed ?? 0);
  }

  /** Reads the primary's position. While the primary is not responding, the standby's known delay grows. */
  async #readPrimary(): Promise<void> {
    if (this.#isReadingPrimary) return;
    this.#isReadingPrimary = true;
    const at = performance.now();
    try {
      const { system, written } = await queryRow(this.#options.primary, READ_PRIMARY);
      this.#system = system;
      this.#positions.add({ written, at });
    } catch {
      // The API reports an unresponsive primary.
    } finally {
      this.#isReadingPrimary = false;
    }
  }

  /** Decides whether to use the standby. */
  async #check(): Promise<void> {
    // The check of a hung standby occupies a connection, so there is at most one check at a time.
    if (this.#isProbing || this.#system === null) return;
    this.#isProbing = true;
    const probed = this.#onConnection(laneAt(this.#options.url).schema, this.#options.probe).finally(() => {
      this.#isProbing = false;
    });
    const late = `The standby did not respond within ${MAX_CHECK_MILLISECONDS} ms.`;
    try {
      const { delaySeconds } = await inTime(probed, MAX_CHECK_MILLISECONDS, late);
      this.#lastFreshAt = performance.now() - delaySeconds * 1_000;
      this.#setFault(null);
    } catch (error) {
      this.#setFault(error);
    }
  }

  #setFault(fault: unknown): void {
    const isChange = this.#fault === undefined || (this.#fault === null) !== (fault === null);
    this.#fault = fault;
    if (!isChange) return;
    if (fault !== null) for (const stop of this.#stopReading) stop(fault);
    this.#options.onChange(fault);
  }
}
