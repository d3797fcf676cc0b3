import type { Provider, Started } from './services.ts';

/**
 * Provides services that are already running, so that several runs can share them. The environment contains their
 * addresses.
 */
export function running(environment: NodeJS.ProcessEnv): Provider {
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
