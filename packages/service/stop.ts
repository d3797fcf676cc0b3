/** How long a process may take to stop before it is ended the hard way. */
const LONGEST_STOP_MILLISECONDS = 25_000;

/**
 * A signal that aborts on SIGINT or SIGTERM. From then on the process has 25 seconds to finish what it accepted; a second
 * SIGINT or SIGTERM ends it at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new Error(`Stopped by ${name}.`));
    setTimeout(() => process.exit(1), LONGEST_STOP_MILLISECONDS).unref();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
