import type { ProviderName, ServiceName } from './services/index.ts';

/** What global-setup.ts provides; a test reads it with `inject('postgresUrl')` and so on. */
interface ProvidedServices {
  servicesProvider: ProviderName;
  /** The superuser's URL of the run's PostgreSQL; a test takes a database of its own from `createTestDatabase`. */
  postgresUrl: string | null;
  kafkaBrokers: string[] | null;
  redisUrl: string | null;
  unavailableServices: Partial<Record<ServiceName, string>>;
  /** Why containers did not serve, empty when they did or were not asked. */
  containersPassedOver: string;
}

declare module 'vitest' {
  interface ProvidedContext extends ProvidedServices {}
}
