import { SettingError } from '@milepost/service';
import { CommanderError } from 'commander';
import { styled } from './style.ts';

export const EXIT_CODES = { done: 0, failed: 1, wrongUsage: 2 } as const;

/** How the one sentence of a failed command begins; `up` finds its children's by it. */
export const FAILURE_PREFIX = 'milepost: ';

/** The line that a failed command ends with on stderr. */
export function failureLine(sentence: string): string {
  return `${FAILURE_PREFIX}${styled('red', sentence, process.stderr)}\n`;
}

/** A command line that makes no sense. The message is one sentence that says what would. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The exit code that an error ends the program with. Help and version come as errors too, and are none. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage;
  if (error instanceof SettingError || error instanceof UsageError) return EXIT_CODES.wrongUsage;
  return EXIT_CODES.failed;
}

/** What to tell of an error in one line, null when commander has told it already. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof CommanderError) return null;
  // What went wrong while cleaning up matters less than why the command failed.
  if (error instanceof SuppressedError) return sentenceOf(error.suppressed);
  // Node reports a host with several addresses as one error without a message around one for each address.
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0]);
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}
