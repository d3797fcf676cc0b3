export type ServiceName = 'postgres' | 'kafka' | 'redis';
export type ProviderName = 'containers' | 'local';

/** The real services of one test run. A service that cannot be had is null, and `unavailable` says why in one sentence. */
export interface TestServices {
  provider: ProviderName;
  postgresUrl: string | null;
  kafkaBrokers: string[] | null;
  redisUrl: string | null;
  unavailable: Partial<Record<ServiceName, string>>;
  /** Why another provider that was tried first could not serve; empty when it was not tried. */
  passedOver: string;
  stop: () => Promise<void>;
}

/** One started service. */
export interface Started<Address> {
  address: Address;
  stop: () => Promise<void>;
}

export interface Provider {
  name: ProviderName;
  /** Rejects, soon and with the reason, when this provider cannot serve at all. */
  prepare: () => Promise<void>;
  postgres: () => Promise<Started<string>>;
  kafka: () => Promise<Started<string[]>>;
  redis: () => Promise<Started<string>>;
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}
