import type { Command } from 'commander';
import { addDiscard } from './discard.ts';
import { addList } from './list.ts';
import { addRetry } from './retry.ts';
import { addShow } from './show.ts';

/** `milepost dead-letters`: the records that could not be stored as they are. */
export function addDeadLetters(program: Command): void {
  const deadLetters = program
    .command('dead-letters')
    .description('Look at the records that could not be stored, and settle them. Nothing is ever deleted.')
    .helpCommand(false);
  addList(deadLetters);
  addShow(deadLetters);
  addRetry(deadLetters);
  addDiscard(deadLetters);
}
