import { GenericContainer, Wait } from 'testcontainers';
import { freePorts } from '../free-port.ts';
import { kafkaSettings } from '../kafka/settings.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import type { Provider, Started } from '../services.ts';
import { engineHost, prepareEngine } from './engine.ts';
import { KAFKA_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE } from './images.ts';
import { startContainer } from './start.ts';

async function startPostgres(): Promise<Started<string>> {
  const host = await engineHost();
  const settings = Object.entries(POSTGRES_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_USER: 'milepost', POSTGRES_PASSWORD: 'milepost', POSTGRES_DB: 'milepost' })
    .withCommand(['postgres', ...settings])
    .withExposedPorts(5432)
    // The log contains this line twice: before the image's own initialization, and after the final start.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2));
  return await startContainer(
    container,
    (started) => `postgresql://milepost:milepost@${host}:${started.getMappedPort(5432)}/milepost`,
  );
}

async function startKafka(): Promise<Started<string[]>> {
  const host = await engineHost();
  // A broker tells its clients its address, so the published port must be known before the broker starts. The broker
  // also connects to this address itself, to verify transactions, so the port is the same inside the container.
  const [port = 0] = await freePorts(1);
  const { 'controller.quorum.bootstrap.servers': _, ...local } = kafkaSettings(port, 9093);
  const settings = {
    ...local,
    // In a container, the node listens on all addresses.
    listeners: `PLAINTEXT://:${port},CONTROLLER://:9093`,
    'advertised.listeners': `PLAINTEXT://${host}:${port}`,
    'controller.quorum.voters': '1@localhost:9093',
    'log.dirs': '/tmp/kafka-logs',
  };
  const environment = Object.entries(settings).map(([name, value]) => [
    `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
    value,
  ]);
  const container = new GenericContainer(KAFKA_IMAGE)
    .withEnvironment({ ...Object.fromEntries(environment), KAFKA_HEAP_OPTS: '-Xmx512m' })
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forLogMessage('Kafka Server started'));
  return await startContainer(container, () => [`${host}:${port}`]);
}

async function startRedis(): Promise<Started<string>> {
  const host = await engineHost();
  const container = new GenericContainer(REDIS_IMAGE)
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'));
  return await startContainer(container, (started) => `redis://${host}:${started.getMappedPort(6379)}`);
}

/** Provides the services as containers in a Docker engine. */
export const containers: Provider = {
  name: 'containers',
  prepare: prepareEngine,
  postgres: startPostgres,
  kafka: startKafka,
  redis: startRedis,
};
