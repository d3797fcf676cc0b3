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
    `PostgreSQL refuses to run as root and no user ${USER} could be made (${outcome.output}): start as an ordinary user, or set DATABASE_URL.`,
  );
}

/**
 * The account that PostgreSQL has to run as, null for this process's own. PostgreSQL refuses to run as root: root runs it
 * as the owner of `directory`, so that the directory stays usable for that owner, and as the user `postgres`, made when
 * there is none, when root owns the directory too.
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

/** The first parent of `path` that the account may not enter, null when all are open to it. */
async function closedParent(path: string, account: Account): Promise<string | null> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayEnter(await stat(folder), account)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * How to run a program as the account when it, and its data, lie in a folder that is closed to the account, as a checkout
 * in root's home does: by setpriv, with the one capability of entering folders and reading files. The securebit keeps
 * that capability for access(2) too, with which PostgreSQL's programs look for one another.
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
 * The words to put before a program's own so that it runs as the account in spite of closed parents of `files`; none when
 * all are open. Throws one clear sentence where that cannot be done; PostgreSQL's own message names no folder.
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
