import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { processSignal } from '../process.ts';

/** `milepost projector`: event log to read tables, until stopped. */
export function addProjector(program: Command): void {
  program
    .command('projector')
    .description('Run the process that folds the event log into the read tables.')
    .addHelpText('after', examples('milepost projector'))
    .action(async () => {
      const { runProjector } = await import('@milepost/projector');
      await runProjector(processSignal());
    });
}
