import type { Pool, PoolClient } from 'pg';

/** A statement prepared once per connection under its name. One name, one text. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * An open transaction. Whatever writes takes one of these: a pool is not assignable to it, so a row and the checkpoint
 * or offset that goes with it cannot end up in two transactions.
 */
export class Transaction {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Runs a prepared statement and returns its rows. */
  async rows<Row extends object>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    const result = await this.#client.query<Row>({ ...statement, values });
    return result.rows;
  }

  /** Runs a prepared statement and returns the number of rows it touched. */
  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    const result = await this.#client.query({ ...statement, values });
    return result.rowCount ?? 0;
  }

  /** Runs a statement that is too rare to be kept prepared, and returns its rows. */
  async unprepared<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const result = await this.#client.query<Row>(text, values);
    return result.rows;
  }

  /** Runs SQL text without parameters (definitions, settings). */
  async run(sql: string): Promise<void> {
    await this.#client.query(sql);
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
