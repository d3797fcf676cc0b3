import { stopSignal } from '@milepost/service';
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

/**
 * The signal that tells one process to stop. A process also stops when whoever started it is gone: `up`, even by SIGKILL,
 * or npm. Nobody else would ever stop it.
 */
export function processSignal(): AbortSignal {
  const signal = stopSignal();
  const stop = () => {
    // A second signal would end the process the hard way.
    if (!signal.aborted) process.kill(process.pid, 'SIGTERM');
  };
  if (process.connected) {
    process.once('disconnect', stop);
    // Listening for the parent's end must not keep a process alive that has finished.
    process.channel?.unref();
  } else {
    onNpmGone(stop);
  }
  return signal;
}
