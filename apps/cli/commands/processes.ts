import { type Command, Option } from 'commander';
import { examples } from '../arguments.ts';
import { databaseSettings, laneCount, loginPasswords, upSettings } from '../config.ts';
import { say } from '../output.ts';
import { processSignal } from '../process.ts';
import { settingsHelp } from '../settings.ts';

type Name = 'up' | 'migrate' | 'api' | 'projector' | 'ops';

type Run = (options: { printRoles?: boolean; watch?: boolean }) => Promise<void>;

function addCommand(program: Command, name: Name, description: string, run: Run, ...lines: string[]): Command {
  return program
    .command(name)
    .description(description)
    .addHelpText('after', settingsHelp(name))
    .addHelpText('after', examples(...lines))
    .action(run);
}

async function writeRoles(): Promise<void> {
  const { laneAt } = await import('@milepost/postgres');
  const { locateDatabase } = await import('@milepost/postgres/embedded');
  const { printRoles } = await import('@milepost/postgres/migrations');
  const script = await printRoles(laneAt(await locateDatabase(databaseSettings(), 'owner')), loginPasswords());
  if (script === null) say('All roles and logins exist.');
  else process.stdout.write(script);
}

/** Adds `up`, `migrate` and the long-running processes, except `ingest`, which can also read files. */
export function addProcesses(program: Command): void {
  const up = addCommand(
    program,
    'up',
    "Run everything in one place until Ctrl-C: database (embedded unless DATABASE_URL is set), API, projector, operators' API, and ingest when KAFKA_BROKERS is set.",
    async ({ watch = false }) => {
      const { readChildSettings, runUp } = await import('../up/run.ts');
      await runUp(upSettings(readChildSettings), watch);
    },
    'milepost up',
    'PORT=8080 MILEPOST_HOME=/var/lib/milepost SAMPLE_FLEET=off milepost up',
  );
  // This option is for `npm run dev`. The help does not show it, because an installed package's code does not change.
  up.addOption(new Option('--watch').hideHelp());
  const migrate = addCommand(
    program,
    'migrate',
    'Migrate the database to the schema of this release, create missing lanes, and create a login for each process whose password is set. Safe to repeat.',
    async ({ printRoles = false }: { printRoles?: boolean }) => {
      if (printRoles) return await writeRoles();
      const { locateDatabase } = await import('@milepost/postgres/embedded');
      const { prepareDatabase } = await import('../prepare-database.ts');
      const [passwords, lanes] = [loginPasswords(), laneCount()];
      await prepareDatabase(await locateDatabase(databaseSettings(), 'owner'), { passwords, lanes });
      say('The database is up to date.');
    },
    'DATABASE_URL=postgres://owner:secret@host/milepost milepost migrate',
    'API_PASSWORD=secret milepost migrate --print-roles > roles.sql',
  );
  migrate.option(
    '--print-roles',
    'Change nothing, and print the SQL that creates the roles and logins. An administrator runs it if the owner of the database lacks CREATEROLE.',
  );
  addCommand(
    program,
    'api',
    'Run the process that serves the HTTP endpoints.',
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
    "Run the process that serves the operators' HTTP API and the metrics.",
    async () => await (await import('@milepost/ops')).runOps(processSignal()),
    'OPS_TOKEN=secret OPS_PORT=8081 milepost ops',
  );
}
