import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '@milepost/service';
import type { ProcessName } from '../config.ts';
import { EXIT_CODES, FAILURE_PREFIX, UsageError } from '../failure.ts';
import { say } from '../output.ts';
import { KEEPS_OUTPUT } from '../process.ts';

const MAIN = join(import.meta.dirname, '../milepost.js');

/** Starts one process. `ended` resolves to the error for its end: a usage error if the cause was an invalid setting. */
function start(name: ProcessName, environment: Environment, isWatched: boolean) {
  // The child runs in its own session. Otherwise, Ctrl-C would reach it twice, once from the terminal and once from
  // `up`, and the second signal would end it without a graceful stop. When `up` ends, the IPC channel closes and the
  // child stops. A watched child stops when its stdin ends.
  const child: ChildProcess = spawn(process.execPath, [...(isWatched ? ['--watch', KEEPS_OUTPUT] : []), MAIN, name], {
    env: environment,
    detached: true,
    stdio: [isWatched ? 'pipe' : 'ignore', 'inherit', 'pipe', 'ipc'],
  });
  let reason = '';
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      // The error line becomes part of the error of `up`, unless the process is watched. Node restarts a watched process
      // after a failure, so `up` has no error to report.
      if (!isWatched && line.startsWith(FAILURE_PREFIX)) reason = `: ${line.slice(FAILURE_PREFIX.length)}`;
      else say(line);
    });
  }
  const ended = once(child, 'close').then(
    () => {
      const { exitCode, signalCode } = child;
      const how =
        signalCode === null ? `exited unexpectedly, with exit code ${exitCode}` : `was killed by ${signalCode}`;
      const sentence = `The ${name} process ${how}${reason === '' ? '.' : reason}`;
      return exitCode === EXIT_CODES.wrongUsage ? new UsageError(sentence) : new Error(sentence);
    },
    (error: Error) => new Error(`The ${name} process could not be started: ${error.message}.`),
  );
  return { child, ended };
}

/**
 * Starts this program as a separate process for each name, so that the processes do not delay each other.
 *
 * @param isWatched whether a process restarts when its code changes
 * @param onEnd called with the reason when a process ends before `stop` is called
 */
export function startChildren(
  names: readonly ProcessName[],
  environmentOf: (name: ProcessName) => Environment,
  isWatched: boolean,
  onEnd: (error: Error) => void,
) {
  let stopping = false;
  const children = names.map((name) => start(name, environmentOf(name), isWatched));
  for (const { ended } of children) ended.then((error) => stopping || onEnd(error));
  return {
    /** Stops all processes, and resolves when the last one has ended. */
    async stop() {
      stopping = true;
      for (const { child } of children) child.kill('SIGTERM');
      await Promise.all(children.map(({ ended }) => ended));
    },
  };
}
