import { freePorts } from '../free-port.ts';
import { startKafkaNode } from '../local/kafka.ts';
import type { ServerProcess } from '../local/process.ts';
import { kafkaSettings } from './settings.ts';

const NODES = 3;

/**
 * Starts a cluster of three brokers, each of which has a replica of every internal topic. The brokers start one after
 * another, because starting them together on a small machine would exceed their timeouts.
 */
export async function startKafkaCluster() {
  const [controller = 0, ...ports] = await freePorts(1 + NODES);
  const addresses = new Map(ports.map((port, index) => [index + 1, `127.0.0.1:${port}`]));
  const nodes = new Map<number, ServerProcess>();
  const stop = async () => {
    // A suspended process would not react to a request to stop.
    for (const node of nodes.values()) node.signal('SIGKILL');
    for (const node of nodes.values()) await node.stop();
  };
  try {
    for (const [broker, address] of addresses) {
      const replicas = Object.fromEntries(
        ['offsets.topic', 'transaction.state.log'].map((topic) => [`${topic}.replication.factor`, String(NODES)]),
      );
      const shared = {
        ...kafkaSettings(address, { broker: Number(address.split(':')[1]), controller }, '127.0.0.1'),
        ...replicas,
        'node.id': String(broker),
      };
      const roles = { 'process.roles': 'broker', listeners: `PLAINTEXT://${address}` };
      nodes.set(broker, await startKafkaNode(broker === 1 ? shared : { ...shared, ...roles }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    /** The address of each broker. Broker ids start at 1, and the first broker is also the controller. */
    addresses,
    /** Sends a signal to a broker's process. */
    signal: (broker: number, name: NodeJS.Signals) => nodes.get(broker)?.signal(name),
    stop,
  };
}
