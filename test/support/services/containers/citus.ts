import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { GenericContainer, Wait } from 'testcontainers';
import { freePorts } from '../free-port.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import { prepareEngine } from './engine.ts';
import { CITUS_IMAGE } from './images.ts';
import { startContainer } from './start.ts';

const docker = async (...words: string[]) => void (await promisify(execFile)('docker', words));

const SETTINGS = {
  ...POSTGRES_SETTINGS,
  // The image has no TLS.
  'citus.node_conninfo': 'sslmode=prefer',
  // A schema moves by logical replication.
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_connections: '200',
};

/** A server of a cluster. */
interface CitusNode {
  port: number;
  /** Ends the server with SIGKILL. */
  kill: () => Promise<void>;
  /** Starts the server after a kill, on the same data. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts a server of Citus in the network of this machine: the nodes and the processes of Milepost use the same
 * addresses.
 */
async function startCitusNode(port: number): Promise<CitusNode> {
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const container = new GenericContainer(CITUS_IMAGE)
    // Nodes connect to each other without a password.
    .withEnvironment({ POSTGRES_USER: 'milepost', POSTGRES_PASSWORD: 'milepost', POSTGRES_DB: 'milepost' })
    .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: 'trust', PGPORT: String(port) })
    .withCommand(['postgres', ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])])
    .withNetworkMode('host')
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2));
  const { address: id, stop } = await startContainer(container, (started) => started.getId());
  return {
    port,
    kill: async () => await docker('kill', '--signal', 'KILL', id),
    start: async () => await docker('start', id),
    stop,
  };
}

/** A coordinator and its workers. */
export interface CitusCluster {
  /** The URL of the coordinator, with a superuser. */
  url: string;
  coordinator: CitusNode;
  workers: readonly CitusNode[];
  stop: () => Promise<void>;
}

/** Starts a cluster of a coordinator and two workers. */
export async function startCitus(): Promise<CitusCluster> {
  await prepareEngine();
  const [first = 0, ...others] = await freePorts(3);
  const [coordinator, ...workers] = await Promise.all([
    startCitusNode(first),
    ...others.map((port) => startCitusNode(port)),
  ]);
  const url = `postgresql://milepost:milepost@127.0.0.1:${first}/milepost`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT citus_set_coordinator_host('127.0.0.1', $1)", [coordinator.port]);
  for (const { port } of workers) await client.query("SELECT citus_add_node('127.0.0.1', $1)", [port]);
  await client.end();
  const stop = async () => void (await Promise.all([coordinator, ...workers].map((node) => node.stop())));
  return { url, coordinator, workers, stop };
}
