import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { databaseSettings, loginPasswords } from '../config.ts';

/** `milepost migrate`: the schema, once, before any process starts. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description(
      'Bring the database to the schema of this release, and make a login for each process whose password is set. Safe to repeat.',
    )
    .addHelpText('after', examples('DATABASE_URL=postgres://owner:secret@host/milepost milepost migrate'))
    .action(async () => {
      const [{ locateDatabase }, { prepareDatabase }] = await Promise.all([
        import('@milepost/embedded-postgres/locate'),
        import('../prepare-database.ts'),
      ]);
      await prepareDatabase(await locateDatabase(databaseSettings(), 'owner'), loginPasswords());
      process.stderr.write('The database is up to date.\n');
    });
}
