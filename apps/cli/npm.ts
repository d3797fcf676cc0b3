import { startedByNpm } from './config.ts';

const POLL_MILLISECONDS = 250;

/**
 * Calls `stop` once npm is gone. Told to end, npm ends the shell in which it started us, and a shell that waits for a
 * program does not pass the signal on: nobody would ever tell us.
 */
export function onNpmGone(stop: () => void): void {
  if (!startedByNpm()) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, POLL_MILLISECONDS);
  timer.unref();
}
