import { outliveConnections } from '@milepost/postgres';
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
    options: `-c search_path=${DEFAULT_SCHEMA}`,
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
  readonly #migrate: boolean;
  #ready: Promise<void> | undefined;

  constructor(pool: Pool, migrate: boolean) {
    // The declarations of pg and BullMQ differ in how they spell overloads; BullMQ's own check decides.
    if (!isPgPool(pool)) throw new Error('BullMQ does not take a pool of pg any more.');
    super(pool);
    this.#pool = pool;
    this.#migrate = migrate;
  }

  override async waitUntilReady(): Promise<void> {
    this.#ready ??= this.#migrateFirst();
    await this.#ready;
  }

  async #migrateFirst(): Promise<void> {
    if (this.#migrate) {
      const client = await this.#pool.connect();
      try {
        await runMigrations(client, DEFAULT_SCHEMA);
      } finally {
        client.release();
      }
    }
    await super.waitUntilReady();
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/**
 * What `withBackend` takes to keep the queue in PostgreSQL; the connection is the database's URL.
 *
 * @param migrate brings BullMQ's schema in the database up to date before the first use
 */
export function postgresBackend(migrate: boolean): BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> {
  return (name, options) => {
    const { connection } = options;
    if (typeof connection !== 'string') throw new Error('The queue in PostgreSQL takes the URL of its database.');
    return new PostgresQueueBackend(new PooledConnection(openPool(connection), migrate), name, options, true);
  };
}
