import { once } from 'node:events';
import { milepost, type Settings, start } from '../../system/milepost.ts';

const KEPT_CHARACTERS = 6_000;

/** A Milepost process that the test may kill. */
export interface KillableProcess {
  /** The last part of its output. */
  output: () => string;
  suspend: () => void;
  resume: () => void;
  kill: () => Promise<void>;
}

export function startKillableProcess(words: string[], settings: Settings): KillableProcess {
  const child = start(milepost(words), settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_CHARACTERS);
    });
  }
  const exited = once(child, 'exit');
  return {
    output: () => output,
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
