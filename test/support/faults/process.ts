import { once } from 'node:events';
import { milepost, type Settings, start } from '../../system/milepost.ts';

const KEPT_CHARACTERS = 6_000;

/** A process of Milepost that is killed sooner or later. */
export interface MortalProcess {
  /** The last of what it has written. */
  output: () => string;
  freeze: () => void;
  thaw: () => void;
  kill: () => Promise<void>;
}

export function startMortalProcess(words: string[], settings: Settings): MortalProcess {
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
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
