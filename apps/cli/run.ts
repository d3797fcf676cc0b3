import { causeOf } from '@milepost/service';
import { EXIT_CODES, exitCodeOf, failureLine, sentenceOf } from './failure.ts';
import { createProgram } from './program.ts';

/** The Kafka client sets timers with negative delays. This is harmless, but Node would print a warning. */
function muteNegativeTimeouts(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'TimeoutNegativeWarning') return;
    for (const listener of listeners) listener(warning);
  });
}

const ENDED_BY_SIGNALS = new Set(['up', 'api', 'ingest', 'projector', 'ops']);

/**
 * Exits when the program that reads the output closes the pipe, as in `milepost simulate | head`. Commands that run
 * until a signal arrives continue: Ctrl-C ends the reading program too, and after that these commands must still stop
 * their processes. After any other output error, such as a full disk, every command fails, because output is lost.
 */
function exitWithoutOutput(verb: string | undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        if (stream === process.stdout)
          process.stderr.write(failureLine(`The output cannot be written: ${causeOf(error)}.`));
        process.exit(EXIT_CODES.failed);
      }
      if (!ENDED_BY_SIGNALS.has(verb ?? '')) process.exit(EXIT_CODES.done);
    });
  }
}

/**
 * Runs one command line as `run` does, but does not change this process's signal handlers and streams. Exported for
 * tests.
 */
export async function runCommand(words: string[]): Promise<number> {
  try {
    await (await createProgram(words)).parseAsync(words, { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence !== null) process.stderr.write(failureLine(sentence));
    return exitCodeOf(error);
  }
}

/**
 * Runs this process's command line (without the program's name). Resolves to the exit code: 0 for success, 1 for a
 * failure, 2 for a usage error.
 */
export async function run(words: string[]): Promise<number> {
  exitWithoutOutput(words[0]);
  muteNegativeTimeouts();
  return await runCommand(words);
}
