import { messageOf, SettingError } from '@milepost/service';
import { CommanderError } from 'commander';
import { styled } from './output.ts';

export const EXIT_CODES = { done: 0, failed: 1, wrongUsage: 2 } as const;

/** The prefix of a failed command's error line. `up` uses it to recognize the error lines of its child processes. */
export const FAILURE_PREFIX = 'milepost: ';

/** Returns the last line that a failed command writes to stderr. */
export function failureLine(sentence: string): string {
  return `${FAILURE_PREFIX}${styled('red', sentence, process.stderr)}\n`;
}

/** The command line is wrong. The error's message is one sentence that explains how to correct the command line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Returns the exit code of an error. Commander also throws for --help and --version, which are not failures. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage;
  if (error instanceof SettingError || error instanceof UsageError) return EXIT_CODES.wrongUsage;
  return EXIT_CODES.failed;
}

/** Returns an error's message as one line; null if commander has already printed the message. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof CommanderError) return null;
  // The command's own error is more important than an error during cleanup.
  if (error instanceof SuppressedError) return sentenceOf(error.suppressed);
  // If a host has several addresses, Node's error has no message of its own, but contains one error per address.
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0]);
  return messageOf(error)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
