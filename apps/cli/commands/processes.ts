import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { processSignal } from '../process.ts';

type Load = () => Promise<(signal: AbortSignal) => Promise<void>>;

function addProcess(program: Command, name: string, description: string, example: string, load: Load): void {
  program
    .command(name)
    .description(description)
    .addHelpText('after', examples(example))
    .action(async () => await (await load())(processSignal()));
}

/** The processes that run until stopped, but for `ingest`, which reads files too. */
export function addProcesses(program: Command): void {
  addProcess(
    program,
    'api',
    'Run the process that answers the HTTP endpoints.',
    'PORT=8080 milepost api',
    async () => (await import('@milepost/api')).runApi,
  );
  addProcess(
    program,
    'projector',
    'Run the process that folds the event log into the read tables.',
    'milepost projector',
    async () => (await import('@milepost/projector')).runProjector,
  );
  addProcess(
    program,
    'ops',
    "Run the process that answers the operators' HTTP API, and metrics.",
    'OPS_TOKEN=secret OPS_PORT=8081 milepost ops',
    async () => (await import('@milepost/ops')).runOps,
  );
}
