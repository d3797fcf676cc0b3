import type { ProviderName, ServiceName } from './services/index.ts';

/** The values that global-setup.ts provides. A test reads them with `inject('postgresUrl')` and so on. */
interface ProvidedServices {
  servicesProvider: ProviderName;
  /** The superuser's URL for the run's PostgreSQL. A test creates its own database with `createTestDatabase`. */
  postgresUrl: string | null;
  /** The migrated, empty database in the run's PostgreSQL that `createTestDatabase` clones. */
  template: string;
  kafkaBrokers: string[] | null;
  redisUrl: string | null;
  unavailableServices: Partial<Record<ServiceName, string>>;
  /** Why the run does not use containers. Empty if it uses containers or if they were not requested. */
  containersPassedOver: string;
}

declare module 'vitest' {
  interface ProvidedContext extends ProvidedServices {}
}
