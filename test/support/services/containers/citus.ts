import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { GenericContainer, Wait } from 'testcontainers';
import { administer, databaseUrl } from '../../template.ts';
import { freePorts } from '../free-port.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import { prepareEngine } from './engine.ts';
import { CITUS_IMAGE } from './images.ts';
import { startContainer } from './start.ts';

const docker = async (...words: string[]) => (await promisify(execFile)('docker', words)).stdout.trim();

const SETTINGS = {
  // The image does not support TLS.
  'citus.node_conninfo': 'sslmode=prefer',
  // Citus moves a schema by logical replication.
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_connections: '200',
};

/** One server of a cluster. */
interface CitusNode {
  port: number;
  /** The id that the server's main process has on this machine. */
  processId: () => Promise<number>;
  /** Kills the server with SIGKILL. */
  kill: () => Promise<void>;
  /** Starts the server on the same data after a kill. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts a Citus server in this machine's network, so that the nodes and Milepost's processes use the same addresses.
 */
async function startCitusNode(port: number, durability: Record<string, string>): Promise<CitusNode> {
  const settings = Object.entries({ ...durability, ...SETTINGS, port: String(port) });
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
    processId: async () => Number(await docker('inspect', '--format', '{{.State.Pid}}', id)),
    kill: async () => void (await docker('kill', '--signal', 'KILL', id)),
    start: async () => void (await docker('start', id)),
    stop,
  };
}

/** A coordinator and its workers. */
export interface CitusCluster {
  /** The superuser's URL on the coordinator. */
  url: string;
  coordinator: CitusNode;
  workers: readonly CitusNode[];
  /** Creates another database on all nodes and returns its URL on the coordinator. */
  createDatabase: () => Promise<string>;
  stop: () => Promise<void>;
}

/**
 * Starts a cluster of a coordinator and two workers.
 *
 * @param durability settings of all nodes; with the default, a crash of the machine can lose data
 */
export async function startCitus(durability: Record<string, string> = POSTGRES_SETTINGS): Promise<CitusCluster> {
  await prepareEngine();
  const [first = 0, ...others] = await freePorts(3);
  const [coordinator, ...workers] = await Promise.all([
    startCitusNode(first, durability),
    ...others.map((port) => startCitusNode(port, durability)),
  ]);
  const nodes = [coordinator, ...workers];
  const urlOf = ({ port }: CitusNode) => `postgresql://milepost:milepost@127.0.0.1:${port}/milepost`;
  const url = urlOf(coordinator);
  const join = [
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
  ];
  await administer(url, join);
  return {
    url,
    coordinator,
    workers,
    createDatabase: async () => {
      const name = `cluster_${randomBytes(6).toString('hex')}`;
      for (const node of nodes) {
        await administer(urlOf(node), [`CREATE DATABASE ${name}`]);
        await administer(databaseUrl(urlOf(node), name), ['CREATE EXTENSION citus']);
      }
      await administer(databaseUrl(url, name), join);
      return databaseUrl(url, name);
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}
