import { collectDefaultMetrics, type Registry } from 'prom-client';

/** The library's gauges whose names end in `_total`, which Prometheus reserves for counters. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Adds the memory, the processor time, the event-loop delay and the open files of this process. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
