import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { processSignal } from '../process.ts';

/** `milepost ops`: the operators' HTTP API and the metrics, until stopped. */
export function addOps(program: Command): void {
  program
    .command('ops')
    .description("Run the process that answers the operators' HTTP API, and metrics.")
    .addHelpText('after', examples('OPS_TOKEN=secret OPS_PORT=8081 milepost ops'))
    .action(async () => {
      const { runOps } = await import('@milepost/ops');
      await runOps(processSignal());
    });
}
