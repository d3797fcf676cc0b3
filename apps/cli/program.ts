import { Command } from 'commander';
import { addArchive } from './commands/archive.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addIngest } from './commands/ingest.ts';
import { addProcesses } from './commands/processes.ts';
import { addSchema } from './commands/schema.ts';
import { addSimulate } from './commands/simulate.ts';
import { addSize } from './commands/size.ts';
import { addValidate } from './commands/validate.ts';
import { failureLine } from './failure.ts';

import manifest from './package.json' with { type: 'json' };

const EXIT_CODE_HELP = `
Exit codes: 0 for success, 1 for a failure, 2 for a usage error or an invalid setting. Results are written to stdout,
all other output to stderr.`;

function addDevelop(program: Command): void {
  program.commandsGroup('Develop:');
  addValidate(program);
  addSimulate(program);
  addSchema(program);
  addCompletion(program, async () => await createProgram('all'));
}

/** Turns an error from commander, such as `error: unknown option '--x'`, into one sentence. */
function usageFailure(text: string): string {
  const sentences = text
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\((.*)\)$/, '$1'))
    .filter((line) => line !== '')
    .map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? '' : '.'}`);
  return failureLine(sentences.join(' '));
}

/**
 * Creates the program with the commands that `words` need. For the other groups of operator commands, it contains only
 * the names and descriptions. Modules that load slowly, such as the schemas of operations, are imported only for the
 * commands that need them.
 *
 * @param words the words after the program's name, or `all` to load all commands
 */
export async function createProgram(words: readonly string[] | 'all'): Promise<Command> {
  const first = words === 'all' ? 'all' : (words[0] ?? '');
  const program = new Command('milepost')
    .description('Driver trip and driving-behaviour reports from an event log.')
    .version(manifest.version)
    .helpCommand(false)
    // Without this, `milepost audit` would treat the options after `milepost audit list` as its own.
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see the commands and options.')
    .configureOutput({ outputError: (text, write) => write(usageFailure(text)) })
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();
  const others = new Command();
  addDevelop(others);
  addArchive(others);
  addExport(others);
  program.commandsGroup('Run:');
  addProcesses(program);
  addIngest(program);
  addDoctor(program);
  addSize(program);
  const names = [...program.commands, ...others.commands].map((command) => command.name());
  if (!['-V', '--version', ...names].includes(first))
    await (await import('./operate/index.ts')).addOperations(program, first);
  program.commandsGroup('Operate:');
  addArchive(program);
  addExport(program);
  addDevelop(program);
  return program;
}
