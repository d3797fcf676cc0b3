import { once } from 'node:events';
import { join } from 'node:path';
import { milepost, type Settings, start } from '../milepost.ts';

const KEPT_CHARACTERS = 6_000;
/** The value of NODE_OPTIONS that makes a replay use many chunks. */
export const SMALL_CHUNKS = `--import=${join(import.meta.dirname, 'small-chunks.ts')}`;

/** A Milepost process that the test may kill. */
export interface KillableProcess {
  /** The last part of its output. */
  output: () => string;
  /** Resolves with the exit code, or with null after a signal. */
  exited: Promise<number | null>;
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
  const exited = once(child, 'exit').then(() => child.exitCode);
  return {
    output: () => output,
    exited,
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
