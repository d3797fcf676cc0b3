export type ServiceName = 'postgres' | 'kafka' | 'redis';
export type ProviderName = 'containers' | 'local' | 'running';

/** One started service. */
export interface Started<Address> {
  address: Address;
  stop: () => Promise<void>;
}

export interface Provider {
  name: ProviderName;
  /** Rejects quickly, with the reason, if this provider cannot start any service. */
  prepare: () => Promise<void>;
  postgres: () => Promise<Started<string>>;
  kafka: () => Promise<Started<string[]>>;
  redis: () => Promise<Started<string>>;
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}
