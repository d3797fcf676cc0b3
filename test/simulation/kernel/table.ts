/** Thrown when a statement has to wait for the transaction that holds a lock. */
export class Blocked {
  readonly lock: Lock;

  constructor(lock: Lock) {
    this.lock = lock;
  }
}

/** Returns an error with an SQLSTATE, like those reported by the server. */
export function serverError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** A lock on a row, or an advisory lock. */
interface Lock {
  owner: ServerTransaction | null;
  /** The waiting transactions in order. `retry` is called when the lock is free. */
  waiting: { transaction: ServerTransaction; retry: () => void }[];
}

const newLock = (): Lock => ({ owner: null, waiting: [] });

interface Versioned {
  commit: (transaction: ServerTransaction, version: number) => void;
  forget: (transaction: ServerTransaction) => void;
}

/** The server state that its transactions share. */
export class Server {
  /** The number of commits. A snapshot is the number of the last commit that it includes. */
  version = 0;
  readonly #advisory = new Map<string, Lock>();

  advisory(name: string): Lock {
    const lock = this.#advisory.get(name) ?? newLock();
    this.#advisory.set(name, lock);
    return lock;
  }
}

/**
 * A transaction at the level READ COMMITTED, in which each statement sees the rows that were committed when it began.
 * After waiting for a lock, the statement sees the latest version of the locked row, but all other rows as they were
 * when it began.
 */
export class ServerTransaction {
  readonly server: Server;
  /** The running statement's snapshot. */
  snapshot: number;
  isEnded = false;
  /** The lock that the transaction is waiting for. */
  waitsFor: Lock | null = null;
  readonly #tables = new Set<Versioned>();
  readonly #locks = new Set<Lock>();

  constructor(server: Server) {
    this.server = server;
    this.snapshot = server.version;
  }

  /** Begins a statement. */
  refresh(): void {
    this.snapshot = this.server.version;
  }

  touch(table: Versioned): void {
    this.#tables.add(table);
  }

  /** Takes a lock until the transaction ends. Throws Blocked if another transaction holds it. */
  take(lock: Lock): void {
    if (lock.owner === this) return;
    if (lock.owner !== null) throw new Blocked(lock);
    lock.owner = this;
    this.#locks.add(lock);
  }

  commit(): void {
    if (this.#tables.size > 0) {
      this.server.version += 1;
      for (const table of this.#tables) table.commit(this, this.server.version);
    }
    this.#end();
  }

  rollBack(): void {
    for (const table of this.#tables) table.forget(this);
    this.#end();
  }

  #end(): void {
    this.isEnded = true;
    this.waitsFor = null;
    for (const lock of this.#locks) {
      if (lock.owner === this) lock.owner = null;
      for (const { retry } of lock.waiting.splice(0)) retry();
    }
    this.#locks.clear();
  }
}

/** Whether a transaction that waited for `lock` would wait for itself, directly or indirectly. */
export function isDeadlock(transaction: ServerTransaction, lock: Lock): boolean {
  for (let owner = lock.owner; owner !== null; owner = owner.waitsFor?.owner ?? null) {
    if (owner === transaction) return true;
  }
  return false;
}

/** A table that stores several versions of each row under the row's key. Rows are never changed in place. */
export class Table<Row extends object> implements Versioned {
  readonly #versions: { version: number; rows: ReadonlyMap<string, Row> }[] = [{ version: 0, rows: new Map() }];
  readonly #writes = new Map<ServerTransaction, Map<string, Row | null>>();
  readonly #locks = new Map<string, Lock>();

  get committed(): ReadonlyMap<string, Row> {
    return this.#versions.at(-1)?.rows ?? new Map();
  }

  /** Adds a committed row without a transaction. */
  load(key: string, row: Row): void {
    const rows = new Map(this.committed).set(key, row);
    this.#versions.splice(-1, 1, { version: this.#versions.at(-1)?.version ?? 0, rows });
  }

  /** The row in the statement's snapshot. */
  get(transaction: ServerTransaction, key: string): Row | undefined {
    const own = this.#writes.get(transaction)?.get(key);
    return own === undefined ? this.#at(transaction.snapshot).get(key) : (own ?? undefined);
  }

  /** The rows in the statement's snapshot. */
  all(transaction: ServerTransaction): Row[] {
    return this.entries(transaction).map(([, row]) => row);
  }

  entries(transaction: ServerTransaction): [string, Row][] {
    const rows = this.#at(transaction.snapshot);
    const writes = this.#writes.get(transaction);
    if (writes === undefined) return [...rows];
    const merged = new Map(rows);
    for (const [key, row] of writes) {
      if (row === null) merged.delete(key);
      else merged.set(key, row);
    }
    return [...merged];
  }

  /** Locks a row until the transaction ends, and returns the row's latest version. Throws Blocked. */
  lock(transaction: ServerTransaction, key: string): Row | undefined {
    transaction.take(this.#lockOf(key));
    return this.newest(transaction, key);
  }

  /** Locks and writes a row. Null deletes it. */
  put(transaction: ServerTransaction, key: string, row: Row | null): void {
    transaction.take(this.#lockOf(key));
    transaction.touch(this);
    const writes = this.#writes.get(transaction) ?? new Map<string, Row | null>();
    this.#writes.set(transaction, writes.set(key, row));
  }

  /** Inserts a row. If that violates a key, throws the server's error. */
  insert(transaction: ServerTransaction, key: string, row: Row): void {
    if (this.lock(transaction, key) !== undefined)
      throw serverError('23505', `the key ${key} violates a unique constraint`);
    this.put(transaction, key, row);
  }

  newest(transaction: ServerTransaction, key: string): Row | undefined {
    const own = this.#writes.get(transaction)?.get(key);
    return own === undefined ? this.committed.get(key) : (own ?? undefined);
  }

  commit(transaction: ServerTransaction, version: number): void {
    const rows = new Map(this.committed);
    for (const [key, row] of this.#writes.get(transaction) ?? []) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
    this.#versions.push({ version, rows });
    this.#writes.delete(transaction);
  }

  forget(transaction: ServerTransaction): void {
    this.#writes.delete(transaction);
  }

  #at(snapshot: number): ReadonlyMap<string, Row> {
    for (let index = this.#versions.length - 1; index >= 0; index -= 1) {
      const found = this.#versions[index];
      if (found !== undefined && found.version <= snapshot) return found.rows;
    }
    return new Map();
  }

  #lockOf(key: string): Lock {
    const lock = this.#locks.get(key) ?? newLock();
    this.#locks.set(key, lock);
    return lock;
  }
}
