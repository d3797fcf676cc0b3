import { stopSignal } from '@milepost/service';
import { onNpmGone } from './npm.ts';

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
