import { EXIT_CODES, exitCodeOf, failureLine, sentenceOf } from './failure.ts';
import { createProgram } from './program.ts';

const NEGATIVE_TIMEOUT = 'TimeoutNegativeWarning';

/** The Kafka client sets timers that are already due, harmlessly, and Node would tell everybody who runs a command. */
function muteNegativeTimeouts(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === NEGATIVE_TIMEOUT) return;
    for (const listener of listeners) listener(warning);
  });
}

const ENDED_BY_SIGNALS = new Set(['up', 'api', 'ingest', 'projector', 'ops']);

/**
 * A reader that has seen enough (`milepost simulate | head`) ends the program: nobody is left to write for. What ends by
 * signals has others to stop first, and goes on until it gets one; Ctrl-C reaches it and its reader at once.
 */
function endWithReader(verb: string | undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!ENDED_BY_SIGNALS.has(verb ?? '')) process.exit(EXIT_CODES.done);
    });
  }
}

/** Runs one command line (without the program's own name). Resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(words: string[]): Promise<number> {
  endWithReader(words[0]);
  muteNegativeTimeouts();
  try {
    await (await createProgram(words)).parseAsync(words, { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence !== null) process.stderr.write(failureLine(sentence));
    return exitCodeOf(error);
  }
}
