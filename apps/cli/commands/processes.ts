import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { databaseSettings, loginPasswords, upSettings } from '../config.ts';
import { processSignal } from '../process.ts';
import { SETTINGS_OF, settingsHelp } from '../settings.ts';

type Name = 'up' | 'migrate' | 'api' | 'projector' | 'ops';

function addCommand(program: Command, name: Name, description: string, run: () => Promise<void>, ...lines: string[]) {
  program
    .command(name)
    .description(description)
    .addHelpText('after', settingsHelp(SETTINGS_OF[name]))
    .addHelpText('after', examples(...lines))
    .action(run);
}

/** `up`, what runs until stopped but for `ingest`, which reads files too, and `migrate`, which comes before all of them. */
export function addProcesses(program: Command): void {
  addCommand(
    program,
    'up',
    "Run everything in one place until Ctrl-C: database (embedded unless DATABASE_URL is set), API, projector, operators' API, and ingest when KAFKA_BROKERS is set.",
    async () => {
      const { readChildSettings, runUp } = await import('../up/run.ts');
      await runUp(upSettings(readChildSettings));
    },
    'milepost up',
    'PORT=8080 MILEPOST_HOME=/var/lib/milepost SAMPLE_FLEET=off milepost up',
  );
  addCommand(
    program,
    'migrate',
    'Bring the database to the schema of this release, and make a login for each process whose password is set. Safe to repeat.',
    async () => {
      const [{ locateDatabase }, { prepareDatabase }] = await Promise.all([
        import('@milepost/embedded-postgres/locate'),
        import('../prepare-database.ts'),
      ]);
      await prepareDatabase(await locateDatabase(databaseSettings(), 'owner'), loginPasswords());
      process.stderr.write('The database is up to date.\n');
    },
    'DATABASE_URL=postgres://owner:secret@host/milepost milepost migrate',
  );
  addCommand(
    program,
    'api',
    'Run the process that answers the HTTP endpoints.',
    async () => await (await import('@milepost/api')).runApi(processSignal()),
    'PORT=8080 milepost api',
  );
  addCommand(
    program,
    'projector',
    'Run the process that folds the event log into the read tables.',
    async () => await (await import('@milepost/projector')).runProjector(processSignal()),
    'milepost projector',
  );
  addCommand(
    program,
    'ops',
    "Run the process that answers the operators' HTTP API, and metrics.",
    async () => await (await import('@milepost/ops')).runOps(processSignal()),
    'OPS_TOKEN=secret OPS_PORT=8081 milepost ops',
  );
}
