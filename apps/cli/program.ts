import { Command } from 'commander';
import { addApi } from './commands/api.ts';
import { addArchive } from './commands/archive/index.ts';
import { addAudit } from './commands/audit.ts';
import { addDeadLetters } from './commands/dead-letters/index.ts';
import { addDrivers } from './commands/drivers/index.ts';
import { addIngest } from './commands/ingest.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOperations } from './commands/operations.ts';
import { addOps } from './commands/ops.ts';
import { addProjector } from './commands/projector.ts';
import { addRetention } from './commands/retention.ts';
import { addSimulate } from './commands/simulate.ts';
import { addSources } from './commands/sources.ts';
import { addStatus } from './commands/status.ts';
import { addTrace } from './commands/trace/index.ts';
import { addUp } from './commands/up.ts';
import { addKeys } from './operate/keys.ts';
import { addReplay } from './operate/replay.ts';
import { VERSION } from './version.ts';

const EXIT_CODE_HELP = `
Exit codes: 0 done, 1 failed, 2 wrong usage or setting. Results go to stdout, everything else to stderr.`;

/** The whole command line. Nothing of ours that takes time to load is imported before a command runs. */
export function createProgram(): Command {
  const program = new Command('milepost')
    .description('Driver trip and driving-behaviour reports from an event log.')
    .version(VERSION)
    .helpCommand(false)
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();
  for (const add of [
    addUp,
    addMigrate,
    addApi,
    addIngest,
    addProjector,
    addOps,
    addKeys,
    addStatus,
    addSources,
    addReplay,
    addAudit,
    addDeadLetters,
    addOperations,
    addTrace,
    addArchive,
    addRetention,
    addDrivers,
    addSimulate,
  ]) {
    add(program);
  }
  return program;
}
