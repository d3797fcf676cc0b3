import { setTimeout as delay } from 'node:timers/promises';
import type { TracingSettings } from './settings.ts';
import { setTracing } from './span.ts';

/** The maximum time to send the last spans. */
const MAX_FLUSH_MILLISECONDS = 3_000;
/** The maximum time until the process exits if the collector still does not respond. */
const MAX_EXIT_MILLISECONDS = 1_000;

/**
 * Switches tracing on if there are settings for it, and only then loads OpenTelemetry. Call it before the loggers are
 * created.
 *
 * @param name the process's name, such as `api`
 * @param onError called with the cause when spans could not be exported, but at most once a minute
 * @returns a function that sends the last spans, within a limited time; call it when all other work has ended
 */
export async function startTracing(
  settings: TracingSettings | undefined,
  name: string,
  onError: (reason: string) => void,
): Promise<() => Promise<void>> {
  if (settings === undefined) return async () => {};
  const { createTracing } = await import('./sdk.ts');
  const { loaded, shutdown } = createTracing(settings, name, onError);
  setTracing(loaded);
  return async () => {
    setTracing(undefined);
    const flushed = shutdown().then(() => true);
    if (await Promise.race([flushed, delay(MAX_FLUSH_MILLISECONDS, false, { ref: false })])) return;
    // A request to an unresponsive collector would keep the process alive until the request's own, longer timeout.
    setTimeout(() => process.exit(), MAX_EXIT_MILLISECONDS).unref();
  };
}
