import type { Provider, Started } from './services.ts';

function addressIn(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

/**
 * Provides services that are already running, so that several runs can share them. The environment contains their
 * addresses.
 */
export function running(environment: NodeJS.ProcessEnv): Provider {
  const from = async (name: string): Promise<Started<string>> => ({
    address: addressIn(environment, name),
    stop: async () => {},
  });
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
