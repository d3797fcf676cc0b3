import type { Transaction } from '@milepost/postgres';
import type { Registry } from 'prom-client';

/**
 * Metrics that belong together: read in the scrape's one snapshot, and put as new metrics into its registry, so that
 * what is gone from the database is gone from the metrics.
 */
export type MetricGroup = (registry: Registry, transaction: Transaction) => Promise<void>;
