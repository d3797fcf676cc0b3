import { EventEmitter } from 'node:events';
import { createPool, inTransaction, laneAt, type Pool, ROLES, unprepared } from '@milepost/postgres';
import {
  type BackendFactory,
  DEFAULT_SCHEMA,
  isPgPool,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  runMigrations,
} from 'bullmq';

/** Two connections run statements, and one listens for jobs while a worker runs. */
const CONNECTIONS = 3;

function openPool(databaseUrl: string): Pool {
  return createPool({
    part: laneAt(databaseUrl, DEFAULT_SCHEMA),
    role: ROLES.operator,
    applicationName: 'milepost-queue',
    connections: CONNECTIONS,
    statementTimeoutMilliseconds: 0,
  });
}

/**
 * A BullMQ connection that uses one of Milepost's pools, in which every connection has an error listener from the
 * start. BullMQ's own pool and its LISTEN connection have moments without a listener. If the server closed a connection
 * at such a moment, the process would end.
 */
class PooledConnection extends PostgresConnection {
  readonly #pool: Pool;
  readonly #lost = new WeakSet<object>();

  constructor(pool: Pool) {
    // The type declarations of pg and BullMQ differ in their overloads, so BullMQ's type guard is used.
    if (!isPgPool(pool)) throw new Error('This release of BullMQ does not accept a pool of pg.');
    super(pool);
    this.#pool = pool;
    pool.on('connect', (client) => client.on('end', () => this.#lost.add(client)));
  }

  /**
   * If this were true, BullMQ's worker would wait up to an hour for a job, even on a connection that was lost just
   * before the wait. Because it is false, the worker waits 10 s.
   */
  override get hasListenClientKeepAlive(): boolean {
    return false;
  }

  /**
   * Returns the connection that listens for jobs. If the connection was lost before BullMQ listened for its errors,
   * BullMQ would keep it, and the worker would receive no more jobs. The error makes BullMQ open another connection.
   */
  override async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    const client = await super.getListenClient();
    if (!this.#lost.has(client) || !(client instanceof EventEmitter)) return client;
    client.emit('error', new Error('The connection of the queue was lost.'));
    return await super.getListenClient();
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** Creates the backend that stores the queue in PostgreSQL. The option `connection` is the database's URL. */
export const postgresBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, options) => {
  const { connection } = options;
  if (typeof connection !== 'string')
    throw new Error('The queue in PostgreSQL needs the URL of its database as the option connection.');
  return new PostgresQueueBackend(new PooledConnection(openPool(connection)), name, options, true);
};

/**
 * Creates or migrates the queue's schema and grants the operator's role the privileges on it. This is safe to repeat.
 *
 * @param pool connections to the lane, as the database's owner
 */
export async function prepareQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // In a Citus cluster, the queue is on the coordinator. PostgreSQL without Citus ignores this setting.
    await unprepared(client, {}, 'SET citus.enable_schema_based_sharding = off');
    await runMigrations(client, DEFAULT_SCHEMA);
  } finally {
    client.release();
  }
  await inTransaction(pool, async (transaction) => {
    // Two concurrent grants on one table would fail.
    await transaction.run('LOCK TABLE migration IN SHARE ROW EXCLUSIVE MODE');
    // The role needs CREATE, because BullMQ creates a sequence for a queue when it first uses the queue.
    await transaction.run(`GRANT USAGE, CREATE ON SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
    await transaction.run(`GRANT ALL ON ALL TABLES IN SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
    await transaction.run(`GRANT ALL ON ALL SEQUENCES IN SCHEMA ${DEFAULT_SCHEMA} TO ${ROLES.operator}`);
  });
}
