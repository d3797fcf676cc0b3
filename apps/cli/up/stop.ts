import { onNpmGone } from '../npm.ts';

/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm. Only one that comes later is a second one. */
const SAME_SIGNAL_MILLISECONDS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A controller that aborts when the operator wants `up` to end: Ctrl-C, SIGTERM, or a terminal that closes. When it is
 * asked again later it ends at once; children notice that and stop, an embedded server is adopted by the next start.
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
  onNpmGone(() => controller.abort(new StopRequest('SIGTERM')));
  return controller;
}

/** Why `up` ends when nothing is wrong. */
export class StopRequest extends Error {
  override name = 'StopRequest';

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
  }
}
