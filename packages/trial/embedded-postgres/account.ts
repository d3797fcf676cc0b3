import { stat } from 'node:fs/promises';
import { type Account, run } from './command.ts';

const USER = 'postgres';

async function lookUp(): Promise<Account | null> {
  const [uid, gid] = await Promise.all([run('id', ['-u', USER]), run('id', ['-g', USER])]);
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : null;
}

async function create(): Promise<Account> {
  const words = ['--system', '--user-group', '--no-create-home', USER];
  const outcome = await run('useradd', words).catch((error: Error) => ({ output: error.message }));
  const account = await lookUp();
  if (account) return account;
  throw new Error(
    `PostgreSQL refuses to run as root and the user ${USER} could not be created (${outcome.output}): start as an ordinary user, or set DATABASE_URL.`,
  );
}

/**
 * Returns the account that PostgreSQL must run as, or null if it can run as this process's account. PostgreSQL refuses
 * to run as root. If this process is root, PostgreSQL therefore runs as the owner of `directory`, who can then still
 * use the directory. If root owns the directory too, PostgreSQL runs as the user `postgres`, which is created if it
 * does not exist.
 */
export async function postgresAccount(directory: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(directory);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp()) ?? (await create());
}

/**
 * The setpriv options for running a program as an account without access to the folders of the program or its data, for
 * example because they are in root's home. The account gets only the capability to enter folders and read files.
 * PostgreSQL's programs find one another with access(2), to which the capability applies only because the securebit is
 * set.
 */
const SETPRIV = [
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  ...['bounding-set', 'inh-caps', 'ambient-caps'].map((set) => `--${set}=-all,+dac_read_search`),
];

/**
 * Returns the words to put before a command that runs as the account, so that the command can read `files`. The list is
 * empty if the account can enter all parent folders of `files`.
 *
 * @throws Error if the program cannot reach the files at all
 */
export async function entryCommand(files: readonly string[], account: Account): Promise<string[]> {
  const direct = await run('ls', ['-d', ...files], { account });
  if (direct.code === 0) return [];
  const options = [`--reuid=${account.uid}`, `--regid=${account.gid}`, ...SETPRIV];
  const tried = await run('setpriv', [...options, 'ls', '-d', ...files]).catch(() => ({ code: null }));
  if (tried.code === 0) return ['setpriv', ...options];
  throw new Error(
    `PostgreSQL runs as user ${account.uid}, not as root, and that user cannot reach its files: run \`chmod o+x\` on the inaccessible folder, or work in another one. ${direct.output}`,
  );
}
