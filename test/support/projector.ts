import type { Pool } from '@milepost/postgres';
import { type Projection, runProjections, WakeUp } from '@milepost/projections/engine';

/** Runs a projector in the test's process, like the real projector process, and collects its failures. */
export function startProjector(
  pool: Pool,
  projections: readonly Projection[],
  options: Partial<Parameters<typeof runProjections>[2]> = {},
) {
  const stop = new AbortController();
  const failures: Error[] = [];
  const running = runProjections(pool, projections, {
    batchSize: 100,
    signal: stop.signal,
    wakeUp: new WakeUp(),
    pollMilliseconds: 10,
    onAdvance: () => {},
    onFailure: (error) => failures.push(error),
    ...options,
  });
  // `stop` awaits this promise. Until then, its rejection must not count as unhandled.
  running.catch(() => {});
  return {
    failures,
    running,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
