import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '../../execute.ts';
import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import { kafkaJars } from '../kafka/jars.ts';
import { kafkaSettings } from '../kafka/settings.ts';
import { startKillable, startServerProcess } from './process.ts';

/** Any 16 bytes in URL-safe base64. All nodes in a cluster have the same id. */
const CLUSTER_ID = 'bWlsZXBvc3QtdGVzdHMtMQ';

/**
 * Starts a node of Apache Kafka in its own process, with this machine's Java.
 *
 * @param settings all settings except the folder for the logs
 * @param options the Java virtual machine's options, such as system properties
 */
export async function startKafkaNode(
  settings: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): ReturnType<typeof startKillable> {
  const jars = await kafkaJars();
  return await startInDirectory('kafka', async (directory) => {
    const file = join(directory, 'server.properties');
    const all = { ...settings, 'log.dirs': join(directory, 'logs') };
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(file, lines.join(''));
    const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dlog4j2.level=INFO', '-cp', join(jars, '*')];
    const quorum = settings['process.roles'] === 'broker' ? [] : ['--standalone'];
    await execute('java', [...java, 'kafka.tools.StorageTool', 'format', ...quorum, '-t', CLUSTER_ID, '-c', file]);
    const server = ['-Xmx512m', ...java, ...options, 'kafka.Kafka', file];
    return await startKillable(() => startServerProcess('java', server, /Kafka Server started/, directory));
  });
}

/** Starts a single node without TLS or logins. */
export async function startLocalKafka() {
  const [broker = 0, controller = 0] = await freePorts(2);
  return { ...(await startKafkaNode(kafkaSettings(broker, controller))), address: [`127.0.0.1:${broker}`] };
}
