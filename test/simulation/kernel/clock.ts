import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Simulation } from './simulation.ts';

const REAL = { setTimeout: timers.setTimeout, random: Math.random, abort: AbortController.prototype.abort };
/**
 * The default reason of `abort()`. Node's own default contains a stack trace, which takes longer to create than a
 * simulation step.
 */
const ABORTED = Object.assign(new Error('This operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' });

interface DelayOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Replaces this thread's timers (`node:timers/promises`), clock and random numbers with those of a simulation. All
 * modules see the replacements, because Node updates their imports. Returns a function that restores the originals.
 */
export function replaceClock(currentOf: () => Simulation): () => void {
  const simulatedDelay = async <Value>(milliseconds = 0, value?: Value, { signal }: DelayOptions = {}) => {
    const simulation = currentOf();
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    if (signal?.aborted) throw signal.reason;
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = simulation.after(milliseconds, simulation.process, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    signal?.addEventListener('abort', onAbort);
    return await promise;
  };
  Object.assign(timers, { setTimeout: simulatedDelay });
  syncBuiltinESMExports();
  performance.now = () => currentOf().now;
  Math.random = () => 0.5;
  AbortController.prototype.abort = function abort(reason: unknown = ABORTED) {
    REAL.abort.call(this, reason);
  };
  return () => {
    Object.assign(timers, { setTimeout: REAL.setTimeout });
    syncBuiltinESMExports();
    Reflect.deleteProperty(performance, 'now');
    Math.random = REAL.random;
    AbortController.prototype.abort = REAL.abort;
  };
}
