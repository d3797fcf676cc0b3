import { finished } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopiedRows } from './copy-rows.ts';
import { type Columns, execute, query, type Statement, unprepared } from './statement.ts';

/** A statement that was never sent, as one before it had failed: the failure is told by that one. */
export class StatementSkippedError extends Error {
  override readonly name = 'StatementSkippedError';
}

/**
 * An open transaction. Whatever writes takes one of these: a pool is not assignable to it, so a row and the checkpoint
 * or offset that goes with it cannot end up in two transactions.
 */
export class Transaction {
  readonly #client: PoolClient;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Runs a prepared statement and returns its rows. */
  async rows<Row extends object>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    return await this.#inTurn(() => query(this.#client, statement, values));
  }

  /** Runs a prepared statement and returns the number of rows it touched. */
  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return await this.#inTurn(() => execute(this.#client, statement, values));
  }

  /** Runs a statement that is composed as it is needed, so rarely that its columns are checked each time. */
  async unprepared<Row extends object>(columns: Columns<Row>, text: string, values: unknown[] = []): Promise<Row[]> {
    return await this.#inTurn(() => unprepared(this.#client, columns, text, values));
  }

  /** Adds rows by COPY to `target`, a table with a list of columns; a row that the table refuses fails them all. */
  async copy(target: string, rows: CopiedRows): Promise<void> {
    await this.#inTurn(async () => {
      const stream = this.#client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT ${rows.format})`));
      const done = finished(stream);
      stream.end(rows.bytes);
      await done;
    });
  }

  /** Runs SQL text without parameters (definitions, settings). */
  async run(sql: string): Promise<void> {
    await this.#inTurn(() => this.#client.query(sql));
  }

  /** Runs `work`, all of whose statements are undone when it throws; the transaction can go on behind it either way. */
  async undoable<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.run('SAVEPOINT undoable');
    try {
      return await work();
    } catch (error) {
      this.#turn = Promise.resolve();
      await this.run('ROLLBACK TO SAVEPOINT undoable');
      throw error;
    }
  }

  /**
   * Runs one statement after the other in the order in which they were asked for. Once one has failed, those behind it
   * are never sent: sent after the rollback, they would take effect outside the transaction.
   *
   * @throws StatementSkippedError for those
   */
  async #inTurn<Result>(statement: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(statement, (cause: unknown) => {
      throw new StatementSkippedError('A statement before this one has failed.', { cause });
    });
    this.#turn = turn;
    return await turn;
  }
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. An error of COMMIT itself
 * leaves the outcome unknown; callers guard with compare-and-set, so that doing it again is harmless.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(new Transaction(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection on which even ROLLBACK fails must not go back into the pool with its transaction open.
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
