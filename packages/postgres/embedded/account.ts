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

/** Throws one clear sentence when a parent of `path` is closed to the account; PostgreSQL's own message names no folder. */
export async function assertReachable(path: string, account: Account): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayEnter(await stat(folder), account)) {
      throw new Error(
        `PostgreSQL runs as user ${account.uid}, not as root, and that user may not enter ${folder} on the way to ${path}: run \`chmod o+x ${folder}\` or work in another folder.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}
