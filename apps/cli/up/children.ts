import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '@milepost/service';
import type { ProcessName } from '../config.ts';
import { EXIT_CODES, FAILURE_PREFIX, UsageError } from '../failure.ts';

const MAIN = join(import.meta.dirname, '../milepost.js');

interface Children {
  /** Stops all and resolves when the last one has ended. */
  stop: () => Promise<void>;
}

interface Child {
  name: ProcessName;
  process: ChildProcess;
  /** The sentence that it failed with, if it said one. */
  reason: string | null;
  ended: Promise<unknown>;
}

/** Passes on what the child says but for the sentence it fails with, which goes into our own. */
function listen(child: Child): void {
  const { stderr } = child.process;
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith(FAILURE_PREFIX)) child.reason = line.slice(FAILURE_PREFIX.length);
    else process.stderr.write(`${line}\n`);
  });
}

/** The error for a child that ended without having been asked to; a wrong setting of the child's is one of ours. */
function endedByItself({ name, process: { exitCode, signalCode }, reason }: Child): Error {
  const how = signalCode === null ? `with exit code ${exitCode}` : `by ${signalCode}`;
  const sentence = `The ${name} process ended by itself, ${how}${reason === null ? '.' : `: ${reason}`}`;
  return exitCode === EXIT_CODES.wrongUsage ? new UsageError(sentence) : new Error(sentence);
}

function start(name: ProcessName, environment: Environment): Child {
  // A session of its own: Ctrl-C in the terminal must reach us alone, or each child would get it twice and end the hard
  // way. The channel tells the child when we are gone.
  const child = spawn(process.execPath, [MAIN, name], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  return { name, process: child, reason: null, ended: once(child, 'close') };
}

/**
 * Starts processes of this same program, each in a process of its own so that no work delays another's.
 *
 * @param onEnd called with the reason when one of them ends before `stop`
 */
export function startChildren(
  names: readonly ProcessName[],
  environmentOf: (name: ProcessName) => Environment,
  onEnd: (error: Error) => void,
): Children {
  let stopping = false;
  const children = names.map((name) => start(name, environmentOf(name)));
  for (const child of children) {
    listen(child);
    child.ended.then(
      () => stopping || onEnd(endedByItself(child)),
      (error: Error) => onEnd(new Error(`The ${child.name} process could not be started: ${error.message}.`)),
    );
  }
  return {
    stop: async () => {
      stopping = true;
      for (const child of children) child.process.kill('SIGTERM');
      await Promise.allSettled(children.map(({ ended }) => ended));
    },
  };
}
