import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../milepost.ts';
import { startProcess } from '../processes.ts';

/** The supervisor restarts a process this long after it has ended. */
const RESTART_MILLISECONDS = 100;
const KEPT_CHARACTERS = 6_000;

export type Supervised = ReturnType<typeof supervise>;

/** Starts a Milepost process that is restarted whenever it ends, as under a supervisor. */
export function supervise(name: string, settings: Settings) {
  const ownEnds: { code: number | null; output: string }[] = [];
  let running = startProcess([name], settings);
  let restarts = 0;
  let isKilled = false;
  let isClosed = false;
  const output = () => running.output().slice(-KEPT_CHARACTERS);
  const kill = async () => {
    isKilled = true;
    await running.kill();
  };
  const restartWhenEnded = async () => {
    for (;;) {
      const code = await running.exited;
      if (!isKilled) ownEnds.push({ code, output: output() });
      await delay(RESTART_MILLISECONDS);
      if (isClosed) return;
      isKilled = false;
      restarts += 1;
      running = startProcess([name], settings);
    }
  };
  void restartWhenEnded();
  return {
    name,
    /** The exit code and last output of each exit that was not caused by a kill. */
    ownEnds,
    restarts: () => restarts,
    /** The last part of the current process's output. */
    output,
    /** Kills the process without a shutdown. The supervisor restarts it. */
    kill,
    /** Suspends the process with SIGSTOP, or resumes it with SIGCONT. */
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void running.child.kill(signal),
    /** Kills the process for good: the supervisor does not restart it. */
    close: async () => {
      isClosed = true;
      await kill();
    },
  };
}
