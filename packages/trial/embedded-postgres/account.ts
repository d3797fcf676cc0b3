import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, run } from './command.ts';

const USER = 'postgres';

async function lookUp(): Promise<Account | null> {
  const [uid, gid] = await Promise.all([run('id', ['-u', USER]), run('id', ['-g', USER])]);
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : null;
}

async function create(): Promise<Account> {
  const outcome = await run('useradd', ['--system', '--user-group', '--no-create-home', USER]).catch(
    (error: Error): { output: string } => ({ output: error.message }),
  );
  const account = await lookUp();
  if (account) return account;
  throw new Error(
    `PostgreSQL refuses to run as root and the user ${USER} could not be created (${outcome.output}): start as an ordinary user, or set DATABASE_URL.`,
  );
}

/**
 * Returns the account that PostgreSQL must run as, or null if it can run as the account of this process. PostgreSQL
 * refuses to run as root. If this process is root, PostgreSQL therefore runs as the owner of `directory`, who can then
 * still use the directory. If root owns the directory too, PostgreSQL runs as the user `postgres`, which is created if
 * it does not exist.
 */
export async function postgresAccount(directory: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(directory);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp()) ?? (await create());
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, account: Account): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/**
 * Returns the innermost parent folder of `path` that the account may not enter, or null if it may enter all of them.
 */
async function closedParent(path: string, account: Account): Promise<string | null> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayEnter(await stat(folder), account)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * The options with which setpriv runs a program as an account that may not enter the folder of the program or of its
 * data, such as a checkout in root's home. The account gets only the capability to enter folders and read files. The
 * securebit keeps this capability for access(2) too, which PostgreSQL's programs call to find one another.
 */
const SETPRIV = [
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  ...capabilities('bounding-set', 'inh-caps', 'ambient-caps'),
];

function capabilities(...sets: string[]): string[] {
  return sets.map((set) => `--${set}=-all,+dac_read_search`);
}

/**
 * Returns the words to put before a command so that its program can reach `files` when it runs as the account. There
 * are none if the account may enter all parent folders of `files`. If the program cannot reach the files at all, this
 * throws an error with a one-sentence message, because PostgreSQL's own message does not say which folder is closed.
 */
export async function entryCommand(files: readonly string[], account: Account): Promise<string[]> {
  for (const file of files) {
    const folder = await closedParent(file, account);
    if (folder === null) continue;
    const command = ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, ...SETPRIV];
    const tried = await run('setpriv', [...command.slice(1), 'true']).catch(() => ({ code: null }));
    if (tried.code === 0) return command;
    throw new Error(
      `PostgreSQL runs as user ${account.uid}, not as root, and that user may not enter ${folder} on the way to ${file}: run \`chmod o+x ${folder}\` or work in another folder.`,
    );
  }
  return [];
}
