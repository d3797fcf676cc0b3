import { inTransaction, outliveConnections, ROLES } from '@milepost/postgres';
import {
  type BackendFactory,
  DEFAULT_SCHEMA,
  isPgPool,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  runMigrations,
} from 'bullmq';
import { Pool } from 'pg';

/** Two for statements, and one that listens for jobs for as long as a worker runs. */
const CONNECTIONS = 3;

function openPool(databaseUrl: string): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'milepost-queue',
    max: CONNECTIONS,
    keepAlive: true,
    options: `-c role=${ROLES.operator} -c search_path=${DEFAULT_SCHEMA}`,
  });
  outliveConnections(pool);
  return pool;
}

/**
 * BullMQ's connection over a pool of ours, each of whose connections is listened to from its first moment. BullMQ's own
 * pool and its connection for LISTEN are not: one that the server cuts in the wrong moment would end the process.
 */
class PooledConnection extends PostgresConnection {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    // The declarations of pg and BullMQ differ in how they spell overloads; BullMQ's own check decides.
    if (!isPgPool(pool)) throw new Error('BullMQ does not take a pool of pg any more.');
    super(pool);
    this.#pool = pool;
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** What `withBackend` takes to keep the queue in PostgreSQL; the connection is the database's URL. */
export const postgresBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, options) => {
  const { connection } = options;
  if (typeof connection !== 'string') throw new Error('The queue in PostgreSQL takes the URL of its database.');
  return new PostgresQueueBackend(new PooledConnection(openPool(connection)), name, options, true);
};

/**
 * Makes the queue's schema in the database, or brings it up to date, and leaves it to the operator's role. Safe to repeat.
 *
 * @param pool with the rights of the database's owner
 */
export async function prepareQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, DEFAULT_SCHEMA);
  } finally {
    client.release();
  }
  await inTransaction(pool, async (transaction) => {
    // Two grants at once on the same table would fail.
    await transaction.run('LOCK TABLE milepost.migration IN SHARE ROW EXCLUSIVE MODE');
    // BullMQ makes a sequence for a queue at its first use.
    await transaction.run(`GRANT USAGE, CREATE ON SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
    await transaction.run(`GRANT ALL ON ALL TABLES IN SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
    await transaction.run(`GRANT ALL ON ALL SEQUENCES IN SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
  });
}
