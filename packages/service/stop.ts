/** How long a process may take to stop before it is ended the hard way. */
const LONGEST_STOP_MILLISECONDS = 25_000;

/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm. Only one that comes later is a second one. */
const SAME_SIGNAL_MILLISECONDS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Why a process ends when nothing is wrong. */
export class StopRequest extends Error {
  override name = 'StopRequest';

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
  }
}

/** A controller that aborts when the process is asked to end: Ctrl-C, SIGTERM, a closed terminal. Asked again, it ends at once. */
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

/** A signal that aborts when the process is asked to end. It then has 25 seconds to finish what it accepted. */
export function stopSignal(): AbortSignal {
  const { signal } = stopController();
  const endHard = () => setTimeout(() => process.exit(1), LONGEST_STOP_MILLISECONDS).unref();
  signal.addEventListener('abort', endHard, { once: true });
  return signal;
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
