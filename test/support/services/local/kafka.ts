import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../free-port.ts';
import { kafkaJars } from '../kafka/jars.ts';
import { kafkaSettings } from '../kafka/settings.ts';
import type { Started } from '../services.ts';
import { removeDirectory, temporaryDirectory } from './directory.ts';
import { startServerProcess } from './process.ts';

const run = promisify(execFile);

/** Any 16 bytes in URL-safe base64; one-node clusters never meet. */
const CLUSTER_ID = 'bWlsZXBvc3QtdGVzdHMtMQ';

/** Apache Kafka on this machine's Java: one node in a process of its own. */
export async function startLocalKafka(): Promise<Started<string[]>> {
  const jars = await kafkaJars();
  const directory = await temporaryDirectory('kafka');
  try {
    const [broker = 0, controller = 0] = await freePorts(2);
    const settings = {
      ...kafkaSettings(`127.0.0.1:${broker}`, { broker, controller }, '127.0.0.1'),
      'controller.quorum.bootstrap.servers': `127.0.0.1:${controller}`,
      'log.dirs': join(directory, 'logs'),
    };
    const file = join(directory, 'server.properties');
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(file, lines.join(''));
    const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dlog4j2.level=INFO', '-cp', join(jars, '*')];
    await run('java', [...java, 'kafka.tools.StorageTool', 'format', '--standalone', '-t', CLUSTER_ID, '-c', file]);
    const server = ['-Xmx512m', ...java, 'kafka.Kafka', file];
    const process = await startServerProcess('java', server, /Kafka Server started/, directory);
    return {
      address: [`127.0.0.1:${broker}`],
      stop: async () => {
        await process.stop();
        await removeDirectory(directory);
      },
    };
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}
