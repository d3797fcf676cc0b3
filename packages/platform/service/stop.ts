/** The maximum time of a graceful stop. After this time, the process exits with code 1. */
const MAX_STOP_MILLISECONDS = 25_000;

/**
 * One Ctrl-C may arrive twice, from the terminal and from npm, so a signal counts as a second one only after this time.
 */
const SAME_SIGNAL_MILLISECONDS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The abort reason when a signal asks the process to stop. */
export class StopRequest extends Error {
  override name = 'StopRequest';

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
  }
}

/**
 * Returns a controller that aborts when Ctrl-C, SIGTERM or a closed terminal asks the process to stop. A second signal
 * ends the process immediately.
 */
export function stopController(): AbortController {
  const controller = new AbortController();
  let askedAt = 0;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (!controller.signal.aborted) {
        askedAt = performance.now();
        controller.abort(new StopRequest(name));
      } else if (performance.now() - askedAt > SAME_SIGNAL_MILLISECONDS) process.exit(1);
    });
  }
  return controller;
}

/**
 * Returns a signal that aborts when the process is asked to stop. The process then has 25 seconds to finish its work.
 */
export function stopSignal(): AbortSignal {
  const { signal } = stopController();
  const exitAfterTimeout = () => setTimeout(() => process.exit(1), MAX_STOP_MILLISECONDS).unref();
  signal.addEventListener('abort', exitAfterTimeout, { once: true });
  return signal;
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
