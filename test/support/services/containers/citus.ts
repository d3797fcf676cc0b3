import { GenericContainer, Wait } from 'testcontainers';
import { docker } from '../../compose/command.ts';
import { administer } from '../../template.ts';
import { freePorts } from '../free-port.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import { prepareEngine } from './engine.ts';
import { CITUS_IMAGE } from './images.ts';
import { startContainer } from './start.ts';

const SETTINGS = {
  // The image does not support TLS.
  'citus.node_conninfo': 'sslmode=prefer',
  // Citus uses logical replication to move a schema.
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_connections: '200',
};

/**
 * Starts a Citus server on this machine's network, so that the nodes and Milepost's processes use the same addresses.
 */
async function startCitusNode(port: number) {
  const settings = Object.entries({ ...POSTGRES_SETTINGS, ...SETTINGS, port: String(port) });
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
    kill: async () => void (await docker(['kill', '--signal', 'KILL', id])),
    restart: async () => void (await docker(['start', id])),
    stop,
  };
}

/** A coordinator and its workers. */
export type CitusCluster = Awaited<ReturnType<typeof startCitus>>;

/** Starts a cluster of a coordinator and two workers. It can lose data if the machine crashes. */
export async function startCitus() {
  await prepareEngine();
  const [first = 0, ...others] = await freePorts(3);
  const [coordinator, ...workers] = await Promise.all([
    startCitusNode(first),
    ...others.map((port) => startCitusNode(port)),
  ]);
  const urlOf = ({ port }: { port: number }) => `postgresql://milepost:milepost@127.0.0.1:${port}/milepost`;
  const url = urlOf(coordinator);
  await administer(url, [
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
  ]);
  return {
    /** The superuser's URL on the coordinator. */
    url,
    coordinator,
    workers,
    stop: async () => void (await Promise.all([coordinator, ...workers].map((node) => node.stop()))),
  };
}
