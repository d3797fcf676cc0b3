import { connectionUsage, type Pool } from '@milepost/postgres';
import type { Registry } from 'prom-client';
import { addGauges } from './gauges.ts';

/**
 * Adds metrics on the use of a process's database connections.
 *
 * @param read returns each group's pools, by group name
 */
export function measureConnections(registry: Registry, read: () => Readonly<Record<string, Iterable<Pool>>>): void {
  const usages = () => Object.entries(read()).map(([pool, pools]) => ({ pool, ...connectionUsage(pools) }));
  const states = () =>
    usages().flatMap(({ pool, used, idle }) => [
      { pool, state: 'used', connections: used },
      { pool, state: 'idle', connections: idle },
    ]);
  addGauges(registry, 'milepost_database_', ['pool', 'state'], states, {
    connections: 'Open connections to PostgreSQL, by pool group and state (used or idle).',
  });
  const limits = () =>
    usages().map(({ pool, maximum, waiting }) => ({ pool, connections_limit: maximum, callers_waiting: waiting }));
  addGauges(registry, 'milepost_database_', ['pool'], limits, {
    connections_limit: 'Maximum number of connections to PostgreSQL, by pool group.',
    callers_waiting: 'Callers waiting for a connection to PostgreSQL, by pool group.',
  });
}
