import { JobMetrics } from '@milepost/metrics/jobs';
import { createLogger } from '@milepost/service';
import { runWorker } from '../../apps/ops/worker/index.ts';

/** Runs a worker without Redis until `close` is called. It runs no scheduled audit and, by default, keeps all trips. */
export function startWorker(
  databaseUrl: string,
  tripRetentionDays: number | null = null,
): { close: () => Promise<void> } {
  const stop = new AbortController();
  const working = runWorker({
    databaseUrl,
    redisUrl: undefined,
    auditIntervalMinutes: 100_000,
    retention: { tripRetentionDays, replacedGenerationDays: 7 },
    metrics: new JobMetrics(),
    logger: createLogger('ops', 'silent'),
    signal: stop.signal,
  });
  return {
    close: async () => {
      stop.abort();
      await working;
    },
  };
}
