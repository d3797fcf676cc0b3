import { finished } from 'node:stream/promises';
import { inStatement } from '@milepost/tracing';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopiedRows } from './copy-rows.ts';
import { isReadTimeout } from './errors.ts';
import type { Role } from './roles.ts';
import { type Columns, execute, firstRow, query, type RowOf, type Statement, unprepared } from './statement.ts';

/**
 * A statement was not sent, because the transaction had ended or an earlier statement had failed. In the latter case,
 * `cause` is the error of the earlier statement.
 */
export class StatementSkippedError extends Error {
  override readonly name = 'StatementSkippedError';
}

/**
 * An open transaction, which every function that writes requires. A pool is not assignable to it, so a row and its
 * checkpoint or offset cannot be written in two transactions.
 */
export class Transaction {
  readonly #client: PoolClient;
  #turn: Promise<unknown> = Promise.resolve();
  #hasEnded = false;
  #isCommitted = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Whether `runAndCommit` has committed the transaction. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Runs a prepared statement and returns its rows. */
  async rows<Row extends object>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    return await this.#inTurn(() => query(this.#client, statement, values));
  }

  /** Runs a prepared statement that always returns a row, and returns the first. Throws an Error when there is none. */
  async row<Row extends object>(statement: Statement<Row>, values: unknown[] = []): Promise<Row> {
    return firstRow(statement, await this.rows(statement, values));
  }

  /** Runs a prepared statement and returns the number of affected rows. */
  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return await this.#inTurn(() => execute(this.#client, statement, values));
  }

  /** Runs a statement whose text is composed at run time and checks its columns each time. */
  async unprepared<const Declared extends Columns>(
    columns: Declared,
    text: string,
    values: unknown[] = [],
  ): Promise<RowOf<Declared>[]> {
    return await this.#inTurn(() => unprepared(this.#client, columns, text, values));
  }

  /**
   * Adds rows to `target`, a table with a list of columns, using COPY. If a row violates a constraint, the whole COPY
   * fails.
   */
  async copy(target: string, rows: CopiedRows): Promise<void> {
    const copy = async () => {
      const stream = this.#client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT ${rows.format})`));
      const done = finished(stream);
      stream.end(rows.bytes);
      await done;
    };
    await this.#inTurn(() => inStatement('COPY', copy));
  }

  /** Runs SQL text without parameters (definitions, settings). */
  async run(sql: string): Promise<void> {
    await this.#inTurn(() => inStatement('unprepared', () => this.#client.query(sql)));
  }

  /** Sets the role until the end of the transaction. The session's login must be a member of the role. */
  async actAs(role: Role): Promise<void> {
    await this.run(`SET LOCAL ROLE ${role}`);
  }

  /**
   * Runs the statements in a script one by one. If Citus received a whole script that contains a CREATE INDEX or ALTER
   * TABLE, it would send the script to the nodes, and the tables created by the other statements would not be
   * distributed.
   *
   * @param sql contains no quotes other than '...' and $$...$$
   */
  async runEach(sql: string): Promise<void> {
    const statements = sql.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|--.*|[^;])+/g) ?? [];
    for (const each of statements.filter((statement) => statement.trim() !== '')) await this.run(each);
  }

  /**
   * Runs SQL text and COMMIT in one message, so that the server does not hold locks while it waits for this process.
   * The work cannot send any statement afterwards.
   */
  async runAndCommit(sql: string): Promise<void> {
    await this.run(`${sql}; COMMIT`);
    this.#isCommitted = true;
    this.end();
  }

  /** Skips all later statements. Otherwise, they would run in the connection's next transaction. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Runs `work` in a savepoint, which is rolled back when `work` throws. Either way, the transaction can continue. */
  async inSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.run('SAVEPOINT before_work');
    try {
      return await work();
    } catch (error) {
      this.#turn = Promise.resolve();
      await this.run('ROLLBACK TO SAVEPOINT before_work');
      throw error;
    }
  }

  /**
   * Runs statements one at a time, in the order of the calls. After a failed statement, no later statement is sent,
   * because it would run after the rollback and take effect outside the transaction.
   *
   * @throws StatementSkippedError for a statement that is not sent
   */
  async #inTurn<Result>(statement: () => Promise<Result>): Promise<Result> {
    const skip = (cause: unknown) => {
      throw new StatementSkippedError('The transaction failed or ended before this statement.', { cause });
    };
    const turn = this.#turn.then(() => (this.#hasEnded ? skip(undefined) : statement()), skip);
    this.#turn = turn;
    return await turn;
  }
}

async function runTransaction<Result>(
  pool: Pool,
  begin: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const transaction = new Transaction(client);
  let broken: Error | undefined;
  try {
    await inStatement('BEGIN', () => client.query(begin));
    const result = await work(transaction);
    transaction.end();
    if (!transaction.isCommitted) await inStatement('COMMIT', () => client.query('COMMIT'));
    return result;
  } catch (error) {
    transaction.end();
    const rolledBack = isReadTimeout(error) ? Promise.reject(error) : client.query('ROLLBACK');
    // A connection whose ROLLBACK fails must not return to the pool with an open transaction.
    await rolledBack.catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work` in one transaction. Commits when `work` resolves, unless it has already committed with `runAndCommit`,
 * and rolls back when `work` throws. An error from COMMIT leaves the outcome unknown, so callers use compare-and-set,
 * which makes retries harmless.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await runTransaction(pool, 'BEGIN', work);
}

/**
 * Runs `work`, which only reads, in one transaction whose statements all see the same snapshot of the database. If each
 * statement had its own snapshot and the head were read first, a checkpoint could seem to be ahead of the log's head.
 */
export async function inSnapshot<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await runTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
}
