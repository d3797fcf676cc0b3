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

interface Child {
  name: ProcessName;
  process: ChildProcess;
  /** The error message that the process printed when it failed; null if it printed none. */
  reason: string | null;
  ended: Promise<unknown>;
}

/**
 * Forwards the child's output except its error line, which becomes part of the error of `up`. The error line of a
 * watched process is forwarded too. Node restarts such a process after a failure, so `up` has no error to report.
 */
function listen(child: Child, isWatched: boolean): void {
  const { stderr } = child.process;
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    if (!isWatched && line.startsWith(FAILURE_PREFIX)) child.reason = line.slice(FAILURE_PREFIX.length);
    else say(line);
  });
}

/**
 * Returns the error for a child that exited unexpectedly. If the cause was an invalid setting, `up` also ends with a
 * usage error.
 */
function endedByItself({ name, process: { exitCode, signalCode }, reason }: Child): Error {
  const how = signalCode === null ? `exited unexpectedly, with exit code ${exitCode}` : `was killed by ${signalCode}`;
  const sentence = `The ${name} process ${how}${reason === null ? '.' : `: ${reason}`}`;
  return exitCode === EXIT_CODES.wrongUsage ? new UsageError(sentence) : new Error(sentence);
}

function start(name: ProcessName, environment: Environment, isWatched: boolean): Child {
  // The child runs in its own session. Otherwise, Ctrl-C would reach it twice, once from the terminal and once from
  // `up`, and the second signal would end it without a graceful stop. When `up` ends, the IPC channel closes and the
  // child stops. A watched child stops when its stdin ends.
  const child = spawn(process.execPath, [...(isWatched ? ['--watch', KEEPS_OUTPUT] : []), MAIN, name], {
    env: environment,
    detached: true,
    stdio: [isWatched ? 'pipe' : 'ignore', 'inherit', 'pipe', 'ipc'],
  });
  return { name, process: child, reason: null, ended: once(child, 'close') };
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
  for (const child of children) {
    listen(child, isWatched);
    child.ended.then(
      () => stopping || onEnd(endedByItself(child)),
      (error: Error) => onEnd(new Error(`The ${child.name} process could not be started: ${error.message}.`)),
    );
  }
  return {
    /** Stops all processes, and resolves when the last one has ended. */
    async stop() {
      stopping = true;
      for (const child of children) child.process.kill('SIGTERM');
      await Promise.allSettled(children.map(({ ended }) => ended));
    },
  };
}
