import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { processSignal } from '../process.ts';

/** `milepost api`: the five endpoints, until stopped. */
export function addApi(program: Command): void {
  program
    .command('api')
    .description('Run the process that answers the HTTP endpoints.')
    .addHelpText('after', examples('PORT=8080 milepost api'))
    .action(async () => {
      const { runApi } = await import('@milepost/api');
      await runApi(processSignal());
    });
}
