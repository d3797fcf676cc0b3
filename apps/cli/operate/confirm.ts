import { createInterface } from 'node:readline/promises';
import { UsageError } from '../failure.ts';

/**
 * Asks on the terminal whether to go on; anything but `yes` is a no. Where nobody can be asked, the command line must have
 * said so. Ctrl-C ends the process as it ends every other.
 *
 * @param refusal what to say when Ctrl-C is the answer
 * @throws UsageError without a terminal
 */
export async function confirmed(question: string, refusal: string): Promise<boolean> {
  assertTerminal();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In its raw mode the terminal hands Ctrl-C over as a key: without this the answer would fail with words of Node's own.
  terminal.once('SIGINT', () => {
    terminal.close();
    process.stderr.write(`\nmilepost: Stopped by SIGINT. ${refusal}\n`);
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return (await terminal.question(`${question} Type yes to go on: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

/** Throws UsageError where nobody can be asked. */
export function assertTerminal(): void {
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask on: --yes says that it shall be done.');
}
