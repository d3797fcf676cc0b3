import { stopSignal } from '@milepost/service/stop';
import { startedByNpm } from './config.ts';

const POLL_MILLISECONDS = 250;

/**
 * Calls `stop` when npm has ended. npm signals only the shell that started this process, and the shell does not forward
 * signals.
 */
export function onNpmExit(stop: () => void): void {
  if (!startedByNpm()) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, POLL_MILLISECONDS);
  timer.unref();
}

/**
 * If this option is in a process's own `execArgv`, the process is being watched. Node removes all other watch-mode
 * options from `execArgv`.
 */
export const KEEPS_OUTPUT = '--watch-preserve-output';

/**
 * Stops Node's watcher when `up` has ended; the watcher then stops this process. The watcher, which is this process's
 * parent, does not notice that `up` has ended. This process does, because it inherits the stdin that `up` keeps open.
 */
function stopWatcherWithUp(): void {
  const watcher = process.ppid;
  process.stdin.once('end', () => process.kill(watcher, 'SIGTERM')).resume();
  // This wait must not keep a finished process alive.
  process.stdin.unref();
}

/**
 * Returns the signal that stops this process. The signal also aborts when the parent process (`up` or npm) has ended,
 * even after SIGKILL.
 */
export function processSignal(): AbortSignal {
  const signal = stopSignal();
  const stop = () => {
    // A second signal would end the process immediately, without a graceful stop.
    if (!signal.aborted) process.kill(process.pid, 'SIGTERM');
  };
  if (process.connected) {
    process.once('disconnect', stop);
    // This listener must not keep a finished process alive.
    process.channel?.unref();
    if (process.execArgv.includes(KEEPS_OUTPUT)) stopWatcherWithUp();
  } else {
    onNpmExit(stop);
  }
  return signal;
}
