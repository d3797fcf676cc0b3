import { containers } from './containers/index.ts';
import { local } from './local/index.ts';
import { type Provider, reasonOf, type ServiceName, type Started } from './services.ts';

export type { ProviderName, ServiceName } from './services.ts';

/** Provides services that are already running. The environment contains their addresses. */
function running(environment: NodeJS.ProcessEnv): Provider {
  const from = async (name: string): Promise<Started<string>> => {
    const address = environment[name];
    if (address === undefined) throw new Error(`${name} is not set.`);
    return { address, stop: async () => {} };
  };
  return {
    name: 'running',
    prepare: async () => {},
    postgres: () => from('TEST_POSTGRES_URL'),
    kafka: async () => {
      const { address, stop } = await from('TEST_KAFKA_BROKERS');
      return { address: address.split(','), stop };
    },
    redis: () => from('TEST_REDIS_URL'),
  };
}

/**
 * Starts the services of a provider.
 *
 * @param passedOver why the first provider is not used; empty if no other provider was tried
 */
async function startAll(provider: Provider, passedOver: string) {
  /** Why a service is null, in one sentence. */
  const unavailable: Partial<Record<ServiceName, string>> = {};
  const started: Started<unknown>[] = [];
  const attempt = async <Address>(name: ServiceName, start: () => Promise<Started<Address>>) => {
    try {
      const service = await start();
      started.push(service);
      return service.address;
    } catch (error) {
      unavailable[name] = reasonOf(error);
      return null;
    }
  };
  const [postgresUrl, kafkaBrokers, redisUrl] = await Promise.all([
    attempt('postgres', provider.postgres),
    attempt('kafka', provider.kafka),
    attempt('redis', provider.redis),
  ]);
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
  };
  return { provider: provider.name, postgresUrl, kafkaBrokers, redisUrl, unavailable, passedOver, stop };
}

/**
 * Starts PostgreSQL, Kafka and Redis for one test run. TEST_SERVICES names the provider: `containers`, `local`,
 * `running` or `auto`. `running` uses the services at TEST_POSTGRES_URL, TEST_KAFKA_BROKERS and TEST_REDIS_URL. `auto`,
 * the default, uses containers if an engine and the images are available, and local services otherwise. With
 * REQUIRE_SERVICES=1, a missing service is an error.
 */
export async function startTestServices(environment: NodeJS.ProcessEnv) {
  const choice = environment['TEST_SERVICES'] ?? 'auto';
  if (!['auto', 'containers', 'local', 'running'].includes(choice)) {
    throw new Error(`TEST_SERVICES is "${choice}": it must be containers, local, running or auto.`);
  }
  let provider = choice === 'local' ? local : choice === 'running' ? running(environment) : containers;
  let passedOver = '';
  try {
    await provider.prepare();
  } catch (error) {
    if (choice === 'containers') throw new Error(`TEST_SERVICES=containers: ${reasonOf(error)}`, { cause: error });
    passedOver = reasonOf(error);
    provider = local;
  }
  const services = await startAll(provider, passedOver);
  const missing = Object.entries(services.unavailable).map(([name, reason]) => `${name}: ${reason}`);
  if (environment['REQUIRE_SERVICES'] === '1' && missing.length > 0) {
    await services.stop();
    throw new Error(`REQUIRE_SERVICES=1, but some services are not available. ${missing.join(' ')}`);
  }
  return services;
}
