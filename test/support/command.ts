import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../apps/cli/run.ts';
import { type Ended, environment, type Settings } from './milepost.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function runNow(words: string[], settings: Settings, input: string): Promise<Ended> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const values = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr, env: environment(settings) };
  const own = Object.getOwnPropertyDescriptors(process);
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  const disconnected = process.listeners('disconnect');
  // This timer keeps the process alive while the command runs, because the command's connection to its parent does not.
  const alive = setInterval(() => {}, 60_000);
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  }
  try {
    const code = await runCommand(words);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    for (const name of ['stdin', 'stdout', 'stderr', 'env'] as const) Object.defineProperty(process, name, own[name]);
    // A command listens for signals until its process exits. This process outlives the command and must still end on a
    // signal.
    SIGNALS.forEach((signal, index) => {
      for (const listener of process.listeners(signal)) {
        if (!listeners[index]?.includes(listener)) process.off(signal, listener);
      }
    });
    for (const listener of process.listeners('disconnect')) {
      if (!disconnected.includes(listener)) process.off('disconnect', listener);
    }
    process.channel?.ref();
    clearInterval(alive);
  }
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs `milepost` in this process, because loading it in a new process would take a second. Commands run one after
 * another, because they share the process's streams and environment. Use `start` for anything that needs its own
 * process: log lines, signals, and settings that Node reads when it starts.
 */
export async function run(words: string[], settings: Settings, input: string | null = null): Promise<Ended> {
  const result = previous.then(() => runNow(words, settings, input ?? ''));
  previous = result.catch(() => {});
  return await result;
}
