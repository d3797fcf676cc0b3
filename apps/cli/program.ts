import { Command } from 'commander';
import { addArchive } from './commands/archive/index.ts';
import { addIngest } from './commands/ingest.ts';
import { addMigrate } from './commands/migrate.ts';
import { addProcesses } from './commands/processes.ts';
import { addSimulate } from './commands/simulate.ts';
import { addUp } from './commands/up.ts';
import { VERSION } from './version.ts';

const EXIT_CODE_HELP = `
Exit codes: 0 done, 1 failed, 2 wrong usage or setting. Results go to stdout, everything else to stderr.`;

const VERSION_FLAGS = ['-V', '--version'];

/**
 * The command line that understands `words`, the whole of it where they name no command. What takes time to load is
 * imported only when its command is asked for: the operators' ones bring the schemas of all operations.
 */
export async function createProgram([first = '']: readonly string[]): Promise<Command> {
  const program = new Command('milepost')
    .description('Driver trip and driving-behaviour reports from an event log.')
    .version(VERSION)
    .helpCommand(false)
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();
  for (const add of [addUp, addMigrate, addProcesses, addIngest, addArchive, addSimulate]) add(program);
  const isQuick = VERSION_FLAGS.includes(first) || program.commands.some((command) => command.name() === first);
  if (!isQuick) (await import('./operate/index.ts')).addOperations(program);
  return program;
}
