import { connectionUsage, type Pool } from '@milepost/postgres';
import type { Registry } from 'prom-client';
import { readGauge } from './read-metrics.ts';

/**
 * Adds metrics on the use of a process's database connections.
 *
 * @param read returns each group's pools, by group name
 */
export function measureConnections(registry: Registry, read: () => Readonly<Record<string, Iterable<Pool>>>): void {
  const usages = () => Object.entries(read()).map(([pool, pools]) => ({ pool, ...connectionUsage(pools) }));
  readGauge(registry, {
    name: 'milepost_database_connections',
    help: 'Open connections to PostgreSQL, by pool group and state (used or idle).',
    labelNames: ['pool', 'state'],
    read: () =>
      usages().flatMap(({ pool, used, idle }) => [
        [used, { pool, state: 'used' }],
        [idle, { pool, state: 'idle' }],
      ]),
  });
  readGauge(registry, {
    name: 'milepost_database_connections_limit',
    help: 'Maximum number of connections to PostgreSQL, by pool group.',
    labelNames: ['pool'],
    read: () => usages().map(({ pool, maximum }) => [maximum, { pool }]),
  });
  readGauge(registry, {
    name: 'milepost_database_callers_waiting',
    help: 'Callers waiting for a connection to PostgreSQL, by pool group.',
    labelNames: ['pool'],
    read: () => usages().map(({ pool, waiting }) => [waiting, { pool }]),
  });
}
